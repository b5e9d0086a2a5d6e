/** Authorises a request: by its path, and by the project and the environments of its feature. */
import { NoAccessError } from "../contract/errors.ts";
import {
  type Caller,
  isAllowed,
  type MissingPermission,
  type Permission,
  requireAnyPermission,
  requirePermission,
  requirePermissionInAnyProject,
  whatIsMissing,
} from "./permissions.ts";

/** Required in each environment of a change of variants. */
export const environmentPermission: Permission = "UPDATE_FEATURE_ENVIRONMENT_VARIANTS";

/** Required in the project too, for a change in every environment. */
export const featurePermission: Permission = "UPDATE_FEATURE_VARIANTS";

/** Required in the feature's project, for an update of its tags. */
export const tagsPermission: Permission = "UPDATE_FEATURE";

interface PathRequest {
  permission: Permission | "any";
  dryRun: boolean;
  strict: boolean;
  project?: string | undefined;
  environment?: string | undefined;
}

export function authorisePath(
  caller: Caller,
  { permission, dryRun, strict, project, environment }: PathRequest,
): void {
  // A dry run that is not strict lists what the caller lacks.
  const needsRead = permission === "any" || (dryRun && !strict);
  if (needsRead) requireAnyPermission(caller, project);
  else if (project === undefined) requirePermissionInAnyProject(caller, permission);
  else requirePermission(caller, permission, { project, environment });
}

/** The path of tags has no project: `authorisePath` has required only that the caller may read some. */
export function authoriseReadOfTags(caller: Caller, project: string): void {
  requireAnyPermission(caller, project);
}

export function authoriseTags(caller: Caller, project: string): void {
  requirePermission(caller, tagsPermission, { project });
}

export function missingForTags(caller: Caller, project: string): MissingPermission[] {
  return isAllowed(caller, tagsPermission, { project }) ? [] : [{ permission: tagsPermission }];
}

interface InProject {
  project: string;
  environment?: string | undefined;
}

type Environments = readonly { environment: string }[];

export function authoriseChange(caller: Caller, { project }: InProject, environments: Environments): void {
  const missing = missingIn(caller, project, environments);
  const messages = missing.map(({ permission, environment }) =>
    whatIsMissing(permission, { project, environment }),
  );
  const [first] = messages;
  if (first) throw new NoAccessError(first, { details: messages.map((message) => ({ message })) });
}

export function missingPermissions(
  caller: Caller,
  target: InProject,
  environments: Environments,
): MissingPermission[] {
  const { project, environment } = target;
  const isForAll = environment === undefined;
  const lacksFeature = isForAll && !isAllowed(caller, featurePermission, { project });
  return [
    ...(lacksFeature ? [{ permission: featurePermission }] : []),
    ...missingIn(caller, project, environments),
  ];
}

function missingIn(caller: Caller, project: string, environments: Environments): MissingPermission[] {
  const permission = environmentPermission;
  return environments
    .filter(({ environment }) => !isAllowed(caller, permission, { project, environment }))
    .map(({ environment }) => ({ permission, environment }));
}
