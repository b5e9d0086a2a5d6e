/** The permissions of an API key, what they allow, and what a path requires of them. */
import { NoAccessError } from "../contract/errors.ts";

export const permissionNames = [
  /** Allows what all others allow. */
  "ADMIN",
  /** Allows reads, dry runs and the documents of SDKs, as all others but `CLIENT` and `TRIP_GUARD` do too. */
  "READ",
  /** Allows the documents of SDKs in the environment, but no reads. */
  "CLIENT",
  /** Allows creating features in the project. */
  "CREATE_FEATURE",
  /** Allows deleting and restoring the project's features. A restored feature is on where it was. */
  "DELETE_FEATURE",
  /** Allows updating the tags of the project's features. */
  "UPDATE_FEATURE",
  /**
   * Allows changing variants in every environment at once. Each environment requires
   * `UPDATE_FEATURE_ENVIRONMENT_VARIANTS` too.
   */
  "UPDATE_FEATURE_VARIANTS",
  /** Allows changing variants in the environment. */
  "UPDATE_FEATURE_ENVIRONMENT_VARIANTS",
  /** Allows switching features on and off in the environment. */
  "UPDATE_FEATURE_ENVIRONMENT",
  /** Allows changing strategies, dependencies and targeting in the environment. */
  "UPDATE_FEATURE_STRATEGY",
  /** Allows trips in the environment and their dry runs, but no reads. A trip undoes only what is under its guard. */
  "TRIP_GUARD",
] as const;

export type PermissionName = (typeof permissionNames)[number];

/** A permission without a project applies in every project, one without an environment in every environment. */
export interface Permission {
  permission: PermissionName;
  project?: string;
  environment?: string;
}

/** A permission that is required in one environment of a project, or in the project as a whole. */
export type RequiredPermission = Pick<Permission, "permission" | "environment">;

export interface Caller {
  /** The name of the API key. */
  name: string;
  /** The first characters of the key's hash: a rotated key and the new one have the same name. */
  keyHash?: string;
  permissions: readonly Permission[];
}

/**
 * The place where a permission is required: one environment of a project, or the project as a whole. A path may name no
 * project: then a permission in any project is enough.
 */
export interface PermissionScope {
  project: string | undefined;
  environment?: string | undefined;
}

/** A permission for one environment grants nothing in the project as a whole. With `inAnyEnvironment` it is enough. */
export function isAllowed(
  { permissions }: Caller,
  name: PermissionName,
  { project, environment }: PermissionScope,
  { inAnyEnvironment = false } = {},
): boolean {
  return permissions.some(
    (permission) =>
      grants(permission, name) &&
      (project === undefined || covers(permission.project, project)) &&
      (inAnyEnvironment || covers(permission.environment, environment)),
  );
}

function covers(granted: string | undefined, required: string | undefined): boolean {
  return granted === undefined || granted === required;
}

/** Returns those of the required permissions that the caller lacks in the project; undefined if it has all of them. */
export function missingPermissions(
  caller: Caller,
  project: string,
  required: readonly RequiredPermission[],
): RequiredPermission[] | undefined {
  const missing = required.filter(
    ({ permission, environment }) => !isAllowed(caller, permission, { project, environment }),
  );
  return missing.length > 0 ? missing : undefined;
}

export function requirePermission(caller: Caller, name: PermissionName, scope: PermissionScope): void {
  if (!isAllowed(caller, name, scope)) throw new NoAccessError(missingMessage(name, scope));
}

/** The details of the error list all that the caller lacks. */
export function requirePermissions(
  caller: Caller,
  project: string,
  required: readonly RequiredPermission[],
): void {
  const missing = missingPermissions(caller, project, required) ?? [];
  const messages = missing.map(({ permission, environment }) =>
    missingMessage(permission, { project, environment }),
  );
  const [first] = messages;
  if (first) throw new NoAccessError(first, { details: messages.map((message) => ({ message })) });
}

/**
 * What a path requires:
 *
 *   a permission         in the project and environment that the path names
 *   a list               one of these, where the body or the stored change decides which the request needs:
 *                        `changeFeature` requires those (`requiredPermissions` in lib/features/change)
 *   any reader           any permission but `CLIENT` and `TRIP_GUARD`
 */
export type PathPermission = PermissionName | readonly PermissionName[] | "any reader";

/**
 * Authorises a request by its path and its options, before its body is read. What else a change requires follows from
 * its body and from what is stored.
 */
export function authorisePath(
  caller: Caller,
  { permission }: { permission: PathPermission },
  { projectId: project, environment }: { projectId?: string; environment?: string },
  { dryRun, prefersStrict }: { dryRun: boolean; prefersStrict: boolean },
): void {
  const scope = { project, environment };
  // A key that may read the project may load its documents, which have nothing else.
  if (permission === "CLIENT" && mayRead(caller, project)) return;
  // A key that may only trip a guard may also see what that would undo.
  const mayTrip = permission === "TRIP_GUARD" && isAllowed(caller, permission, scope);
  // A dry run that is not strict lists what the caller lacks.
  const needsRead = permission === "any reader" || (dryRun && !prefersStrict && !mayTrip);
  if (needsRead) requireMayRead(caller, project);
  else requireOneByPath(caller, typeof permission === "string" ? [permission] : permission, scope);
}

function requireOneByPath(
  caller: Caller,
  alternatives: readonly PermissionName[],
  scope: PermissionScope,
): void {
  const isAllowedByPath = (name: PermissionName) => {
    const inAnyEnvironment = scope.environment === undefined && sufficientInAnyEnvironment.has(name);
    return isAllowed(caller, name, scope, { inAnyEnvironment });
  };
  if (!alternatives.some(isAllowedByPath))
    throw new NoAccessError(missingMessage(alternatives.join(" or "), scope));
}

/**
 * Where a path names no environment, it is satisfied by one of these permissions in any environment. Only the stored
 * feature says which environments it has, so `changeFeature` requires the permission in each. For variants, such a path
 * requires `UPDATE_FEATURE_VARIANTS` in the project.
 */
const sufficientInAnyEnvironment: ReadonlySet<PermissionName> = new Set([
  "UPDATE_FEATURE_ENVIRONMENT",
  "UPDATE_FEATURE_STRATEGY",
]);

/** Any permission but `CLIENT` and `TRIP_GUARD` allows reading in its project, even one for a single environment. */
export function mayRead(caller: Caller, project?: string): boolean {
  const projects = readableProjects(caller);
  return projects === "all" || (project === undefined ? projects.length > 0 : projects.includes(project));
}

function requireMayRead(caller: Caller, project: string | undefined): void {
  if (mayRead(caller, project)) return;
  const where = project === undefined ? "" : ` in project "${project}"`;
  throw new NoAccessError(`The API key has no permission to read${where}`);
}

export function readableProjects({ permissions }: Caller): "all" | readonly string[] {
  const reading = permissions.filter(({ permission }) => !permissionsWithoutReads.has(permission));
  if (reading.some(({ project }) => project === undefined)) return "all";
  return [...new Set(reading.flatMap(({ project }) => project ?? []))];
}

/** These permissions allow their own routes alone. */
const permissionsWithoutReads: ReadonlySet<PermissionName> = new Set(["CLIENT", "TRIP_GUARD"]);

function grants({ permission }: Permission, name: PermissionName): boolean {
  return permission === name || permission === "ADMIN";
}

/** `names` is one permission, or several joined by "or", of which one is required. */
function missingMessage(names: string, { project, environment }: PermissionScope): string {
  const inEnvironment = environment === undefined ? "" : ` in environment "${environment}"`;
  const inProject =
    project === undefined ? "" : ` ${environment === undefined ? "in" : "of"} project "${project}"`;
  return `The API key lacks the permission ${names}${inEnvironment}${inProject}`;
}
