/** The permissions of an API key, everywhere or in a part of the service, and what they allow a caller to do. */
import { NoAccessError } from "../contract/errors.ts";

/** `ADMIN` is all of the others; `READ` allows nothing but what any of them does: to read, and to send dry runs. */
export const permissions = [
  "ADMIN",
  "READ",
  "UPDATE_FEATURE",
  "UPDATE_FEATURE_VARIANTS",
  "UPDATE_FEATURE_ENVIRONMENT_VARIANTS",
] as const;

export type Permission = (typeof permissions)[number];

/** Without a project it applies in every project, without an environment in every environment. */
export interface Permit {
  permission: Permission;
  project?: string;
  environment?: string;
}

/** What a caller lacks: in an environment, or in the project as a whole. */
export type MissingPermission = Pick<Permit, "permission" | "environment">;

export interface Caller {
  /** The name of the API key. */
  name: string;
  permits: readonly Permit[];
}

/** Projects that a caller may act in: all, or these. */
export type Projects = "all" | readonly string[];

interface Scope {
  project: string;
  environment?: string | undefined;
}

/** A permit that is limited to an environment grants nothing in the project as a whole. */
export function isAllowed(
  { permits }: Caller,
  permission: Permission,
  { project, environment }: Scope,
): boolean {
  return permits.some(
    (permit) =>
      grants(permit, permission) &&
      (permit.project === undefined || permit.project === project) &&
      (permit.environment === undefined || permit.environment === environment),
  );
}

export function requirePermission(caller: Caller, permission: Permission, scope: Scope): void {
  if (!isAllowed(caller, permission, scope)) throw noAccess(permission, scope);
}

/** For a route without a project in its path: in at least one project, and not only in one of its environments. */
export function requirePermissionInAnyProject({ permits }: Caller, permission: Permission): void {
  if (!permits.some((permit) => grantsInProject(permit, permission))) throw noAccess(permission);
}

/** Any permission in a project, or in a part of it, allows reading there. Without a project, any permission at all is enough. */
export function requireAnyPermission({ permits }: Caller, project?: string): void {
  const isIn = (permit: Permit) =>
    project === undefined || permit.project === undefined || permit.project === project;
  if (permits.some(isIn)) return;
  const where = project === undefined ? "" : ` in project "${project}"`;
  throw new NoAccessError(`The API key has no permission${where}`);
}

/** The projects in which a permission of the caller is not limited to one environment. */
export function projectsWith({ permits }: Caller, permission: Permission): Projects {
  const granting = permits.filter((permit) => grantsInProject(permit, permission));
  if (granting.some(({ project }) => project === undefined)) return "all";
  return [...new Set(granting.flatMap(({ project }) => project ?? []))];
}

function noAccess(permission: Permission, scope: Partial<Scope> = {}): NoAccessError {
  return new NoAccessError(whatIsMissing(permission, scope));
}

export function whatIsMissing(permission: Permission, { project, environment }: Partial<Scope> = {}): string {
  const inEnvironment = environment === undefined ? "" : ` in environment "${environment}"`;
  const inProject =
    project === undefined ? "" : ` ${environment === undefined ? "in" : "of"} project "${project}"`;
  return `The API key lacks the permission ${permission}${inEnvironment}${inProject}`;
}

function grantsInProject(permit: Permit, permission: Permission): boolean {
  return grants(permit, permission) && permit.environment === undefined;
}

function grants(permit: Permit, permission: Permission): boolean {
  return permit.permission === permission || permit.permission === "ADMIN";
}
