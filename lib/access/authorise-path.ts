/** Authorises a request by its path, before its body is read. */
import {
  type Caller,
  isAllowed,
  isAllowedInAnyEnvironment,
  isAllowedInAnyProject,
  noAccess,
  type PathScope,
  type PermissionName,
  requireMayRead,
  switchPermission,
} from "./permissions.ts";

/**
 * Of a list, the path requires any one; what the request changes decides later which (`authoriseChange`). `read`: any
 * permission but `CLIENT`.
 */
export type PathPermission = PermissionName | Alternatives | "read";

type Alternatives = readonly [PermissionName, ...PermissionName[]];

interface PathRequest {
  permission: PathPermission;
  dryRun: boolean;
  strict: boolean;
}

export function authorisePath(
  caller: Caller,
  { permission, dryRun, strict, project, environment }: PathRequest & PathScope,
): void {
  // A dry run that is not strict lists what the caller lacks.
  const needsRead = permission === "read" || (dryRun && !strict);
  if (needsRead) requireMayRead(caller, project);
  else
    requireByPath(caller, typeof permission === "string" ? [permission] : permission, {
      project,
      environment,
    });
}

function requireByPath(caller: Caller, [first, ...others]: Alternatives, scope: PathScope): void {
  if (![first, ...others].some((one) => isAllowedByPath(caller, one, scope))) throw noAccess(first, scope);
}

function isAllowedByPath(
  caller: Caller,
  permission: PermissionName,
  { project, environment }: PathScope,
): boolean {
  if (project === undefined) return isAllowedInAnyProject(caller, permission);
  // Only the stored feature says which environments a path without one means.
  const isForEach = environment === undefined && permission === switchPermission;
  if (isForEach) return isAllowedInAnyEnvironment(caller, permission, project);
  return isAllowed(caller, permission, { project, environment });
}
