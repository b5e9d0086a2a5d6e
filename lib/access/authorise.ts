/** Authorises a request: by its path, and a change of variants in each environment too. */
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

interface Place {
  project?: string | undefined;
  environment?: string | undefined;
}

interface PathRequest extends Place {
  permission: Permission | "any";
  /** A dry run that lists what the caller lacks needs what a read needs. */
  isPreview: boolean;
}

export function authorisePath(
  caller: Caller,
  { permission, isPreview, project, environment }: PathRequest,
): void {
  if (isPreview || permission === "any") requireAnyPermission(caller, project);
  else if (project === undefined) requirePermissionInAnyProject(caller, permission);
  else requirePermission(caller, permission, { project, environment });
}

interface InProject extends Place {
  project: string;
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
