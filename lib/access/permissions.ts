/** The permissions of an API key, and what they allow. */
import { NoAccessError } from "../contract/errors.ts";

/**
 * `ADMIN` is all of the others. `CLIENT` allows loading the documents of SDKs only, and `TRIP_GUARD` tripping guards only;
 * `READ` and all others allow reading and dry runs too.
 */
export const permissionNames = [
  "ADMIN",
  "READ",
  "CLIENT",
  "CREATE_FEATURE",
  "UPDATE_FEATURE",
  "UPDATE_FEATURE_VARIANTS",
  "UPDATE_FEATURE_ENVIRONMENT_VARIANTS",
  "UPDATE_FEATURE_ENVIRONMENT",
  "UPDATE_FEATURE_STRATEGY",
  "TRIP_GUARD",
] as const;

export type PermissionName = (typeof permissionNames)[number];

/** Required in each environment of a change of variants. */
export const variantsPermission: PermissionName = "UPDATE_FEATURE_ENVIRONMENT_VARIANTS";

/** Required in the project too, for a change of variants in every environment. */
export const allEnvironmentsPermission: PermissionName = "UPDATE_FEATURE_VARIANTS";

/** Required in each environment that is switched on or off. */
export const switchPermission: PermissionName = "UPDATE_FEATURE_ENVIRONMENT";

/** Required in each environment whose strategies or targeting are changed. */
export const strategyPermission: PermissionName = "UPDATE_FEATURE_STRATEGY";

/** Required in the project of a new feature. */
export const creationPermission: PermissionName = "CREATE_FEATURE";

/** Required in the environment whose guard is tripped: a trip undoes only what was made under the guard. */
export const guardPermission: PermissionName = "TRIP_GUARD";

/** Required in the feature's project, for an update of its tags. */
export const tagsPermission: PermissionName = "UPDATE_FEATURE";

/** Without a project it applies in every project, without an environment in every environment. */
export interface Permission {
  permission: PermissionName;
  project?: string;
  environment?: string;
}

export type MissingPermission = Pick<Permission, "permission" | "environment">;

export interface Caller {
  /** The name of the API key. */
  name: string;
  /** The first characters of the key's hash: a rotated key and the new one have the same name. */
  keyHash?: string;
  permissions: readonly Permission[];
}

export type AllowedProjects = "all" | readonly string[];

/** Where a permission is required: in one environment of a project, or in the project as a whole. */
export interface PermissionScope {
  project: string;
  environment?: string | undefined;
}

/** The project and the environment that a path names, if any. */
export interface PathScope {
  project?: string | undefined;
  environment?: string | undefined;
}

/** A permission for one environment grants nothing in the project as a whole. */
export function isAllowed(
  { permissions }: Caller,
  name: PermissionName,
  { project, environment }: PermissionScope,
): boolean {
  return permissions.some(
    (permission) =>
      grants(permission, name) &&
      (permission.project === undefined || permission.project === project) &&
      (permission.environment === undefined || permission.environment === environment),
  );
}

export function requirePermission(caller: Caller, name: PermissionName, scope: PermissionScope): void {
  if (!isAllowed(caller, name, scope)) throw noAccess(name, scope);
}

export function isAllowedInSomeProject({ permissions }: Caller, name: PermissionName): boolean {
  return permissions.some((permission) => grantsInWholeProjects(permission, name));
}

export function isAllowedInSomeEnvironment(
  { permissions }: Caller,
  name: PermissionName,
  project: string,
): boolean {
  return permissions.some(
    (permission) =>
      grants(permission, name) && (permission.project === undefined || permission.project === project),
  );
}

/** Any permission but `CLIENT` and `TRIP_GUARD` allows reading in its project, even one for a single environment. */
export function mayRead(caller: Caller, project?: string): boolean {
  const projects = readableProjects(caller);
  return projects === "all" || (project === undefined ? projects.length > 0 : projects.includes(project));
}

export function requireMayRead(caller: Caller, project?: string): void {
  if (mayRead(caller, project)) return;
  const where = project === undefined ? "" : ` in project "${project}"`;
  throw new NoAccessError(`The API key has no permission to read${where}`);
}

export function readableProjects({ permissions }: Caller): AllowedProjects {
  return projectsOf(permissions.filter(({ permission }) => !readsNothing.has(permission)));
}

/** They allow their own routes alone. */
const readsNothing: ReadonlySet<PermissionName> = new Set(["CLIENT", guardPermission]);

function projectsOf(permissions: readonly Permission[]): AllowedProjects {
  if (permissions.some(({ project }) => project === undefined)) return "all";
  return [...new Set(permissions.flatMap(({ project }) => project ?? []))];
}

/** `names`: one permission, or several of which one would be enough, joined by "or". */
export function noAccess(names: string, scope: PathScope = {}): NoAccessError {
  return new NoAccessError(whatIsMissing(names, scope));
}

export function whatIsMissing(names: string, { project, environment }: PathScope = {}): string {
  const inEnvironment = environment === undefined ? "" : ` in environment "${environment}"`;
  const inProject =
    project === undefined ? "" : ` ${environment === undefined ? "in" : "of"} project "${project}"`;
  return `The API key lacks the permission ${names}${inEnvironment}${inProject}`;
}

function grantsInWholeProjects(permission: Permission, name: PermissionName): boolean {
  return grants(permission, name) && permission.environment === undefined;
}

/** Every permission but `TRIP_GUARD` allows loading the documents of SDKs. */
function grants(permission: Permission, name: PermissionName): boolean {
  const isClient = name === "CLIENT" && permission.permission !== guardPermission;
  return isClient || permission.permission === name || permission.permission === "ADMIN";
}
