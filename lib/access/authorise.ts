/** Authorises a request: first by its path alone, then, if it changes variants, in each environment. */
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

/** Needed in each environment of a request that changes variants. */
export const environmentPermission: Permission = "UPDATE_FEATURE_ENVIRONMENT_VARIANTS";

/** Needed in the project as well, by a request for every environment. */
export const featurePermission: Permission = "UPDATE_FEATURE_VARIANTS";

/** What a path names. */
interface Place {
  project?: string | undefined;
  environment?: string | undefined;
}

interface PathRequest extends Place {
  /** The permission of the route. */
  permission: Permission | "any";
  /** Whether it is a dry run that lists what the caller lacks: it needs what a read needs. */
  isPreview: boolean;
}

/** By what the path names, before anything is read. */
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

/** Throws before any environment is written, and names every permission that is missing in one. */
export function authoriseChange(caller: Caller, { project }: InProject, environments: Environments): void {
  const missing = missingIn(caller, project, environments);
  const messages = missing.map(({ permission, environment }) =>
    whatIsMissing(permission, { project, environment }),
  );
  const [first] = messages;
  if (first) throw new NoAccessError(first, { details: messages.map((message) => ({ message })) });
}

/** What the caller of a dry run lacks for the request itself, in the order in which that would name it. */
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
