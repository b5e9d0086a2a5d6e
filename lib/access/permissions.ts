/** The permissions of an API key, and what they allow. */
import { NoAccessError } from "../contract/errors.ts";

/**
 * `ADMIN` is all of the others. `CLIENT` allows loading the documents of SDKs only; `READ` and all others allow reading
 * and dry runs too.
 */
export const permissions = [
  "ADMIN",
  "READ",
  "CLIENT",
  "UPDATE_FEATURE",
  "UPDATE_FEATURE_VARIANTS",
  "UPDATE_FEATURE_ENVIRONMENT_VARIANTS",
  "UPDATE_FEATURE_ENVIRONMENT",
] as const;

export type Permission = (typeof permissions)[number];

/** Without a project it applies in every project, without an environment in every environment. */
export interface Permit {
  permission: Permission;
  project?: string;
  environment?: string;
}

export type MissingPermission = Pick<Permit, "permission" | "environment">;

export interface Caller {
  /** The name of the API key. */
  name: string;
  permits: readonly Permit[];
}

export type AllowedProjects = "all" | readonly string[];

interface Scope {
  project: string;
  environment?: string | undefined;
}

/** A permit for one environment grants nothing in the project as a whole. */
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

export function isAllowedInAnyProject({ permits }: Caller, permission: Permission): boolean {
  return permits.some((permit) => grantsInProject(permit, permission));
}

export function isAllowedInAnyEnvironment(
  { permits }: Caller,
  permission: Permission,
  project: string,
): boolean {
  return permits.some(
    (permit) => grants(permit, permission) && (permit.project === undefined || permit.project === project),
  );
}

/** Any permission but `CLIENT` allows reading in its project, even one for a single environment. */
export function requireAnyPermission(caller: Caller, project?: string): void {
  const projects = readableProjects(caller);
  if (projects === "all" || (project === undefined ? projects.length > 0 : projects.includes(project)))
    return;
  const where = project === undefined ? "" : ` in project "${project}"`;
  throw new NoAccessError(`The API key has no permission to read${where}`);
}

export function readableProjects({ permits }: Caller): AllowedProjects {
  return projectsOf(permits.filter(({ permission }) => permission !== "CLIENT"));
}

function projectsOf(permits: readonly Permit[]): AllowedProjects {
  if (permits.some(({ project }) => project === undefined)) return "all";
  return [...new Set(permits.flatMap(({ project }) => project ?? []))];
}

export function noAccess(
  permission: Permission,
  scope: { [Member in keyof Scope]?: Scope[Member] | undefined } = {},
): NoAccessError {
  return new NoAccessError(whatIsMissing(permission, scope));
}

export function whatIsMissing(
  permission: Permission,
  { project, environment }: { [Member in keyof Scope]?: Scope[Member] | undefined } = {},
): string {
  const inEnvironment = environment === undefined ? "" : ` in environment "${environment}"`;
  const inProject =
    project === undefined ? "" : ` ${environment === undefined ? "in" : "of"} project "${project}"`;
  return `The API key lacks the permission ${permission}${inEnvironment}${inProject}`;
}

function grantsInProject(permit: Permit, permission: Permission): boolean {
  return grants(permit, permission) && permit.environment === undefined;
}

/** Every permission allows loading the documents of SDKs. */
function grants(permit: Permit, permission: Permission): boolean {
  return permission === "CLIENT" || permit.permission === permission || permit.permission === "ADMIN";
}
