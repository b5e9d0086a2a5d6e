/** Who is calling, and what they may do. */
import { NoAccessError } from "../contract/errors.ts";
import type { Permission, Permit } from "../contract/permissions.ts";

export interface Caller {
  /** The name of their API key. */
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
export function may({ permits }: Caller, permission: Permission, { project, environment }: Scope): boolean {
  return permits.some(
    (permit) =>
      grants(permit, permission) &&
      (permit.project === undefined || permit.project === project) &&
      (permit.environment === undefined || permit.environment === environment),
  );
}

/** Whoever may do anything at all in a project, or in a part of it, may read there. */
export function mayRead({ permits }: Caller, project?: string): boolean {
  return permits.some(
    (permit) => project === undefined || permit.project === undefined || permit.project === project,
  );
}

export function noPermissionIn(project?: string): NoAccessError {
  const where = project === undefined ? "" : ` in project "${project}"`;
  return new NoAccessError(`the API key has no permission${where}`);
}

/** The projects in which a caller has a permission as a whole. */
export function projectsWith({ permits }: Caller, permission: Permission): Projects {
  const granting = permits.filter((permit) => grants(permit, permission) && permit.environment === undefined);
  if (granting.some(({ project }) => project === undefined)) return "all";
  return [...new Set(granting.flatMap(({ project }) => project ?? []))];
}

export function missingPermission(permission: Permission, scope: Partial<Scope> = {}): NoAccessError {
  const where = [
    ...(scope.environment === undefined ? [] : [`in environment "${scope.environment}"`]),
    ...(scope.project === undefined
      ? []
      : [`${scope.environment === undefined ? "in" : "of"} project "${scope.project}"`]),
  ];
  return new NoAccessError(["the API key lacks the permission", permission, ...where].join(" "));
}

function grants(permit: Permit, permission: Permission): boolean {
  return permit.permission === permission || permit.permission === "ADMIN";
}
