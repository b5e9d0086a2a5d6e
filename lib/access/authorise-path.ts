/** Authorises a request by its path, before its body is read. */
import {
  type Caller,
  guardPermission,
  isAllowed,
  isAllowedInSomeEnvironment,
  isAllowedInSomeProject,
  noAccess,
  type PathScope,
  type PermissionName,
  requireMayRead,
  strategyPermission,
  switchPermission,
} from "./permissions.ts";

/**
 * A route whose permission depends on what it changes lists the alternatives. By the path one of them is enough;
 * `authoriseChange` requires the right ones later. `read`: any permission but `CLIENT` and `TRIP_GUARD`.
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
  const needsRead =
    permission === "read" || (dryRun && !strict && !mayTrip(caller, permission, { project, environment }));
  if (needsRead) requireMayRead(caller, project);
  else
    requireByPath(caller, typeof permission === "string" ? [permission] : permission, {
      project,
      environment,
    });
}

/** A key that may only trip a guard may also see what that would undo. */
function mayTrip(caller: Caller, permission: PathPermission, { project, environment }: PathScope): boolean {
  return (
    permission === guardPermission &&
    project !== undefined &&
    isAllowed(caller, permission, { project, environment })
  );
}

function requireByPath(caller: Caller, alternatives: Alternatives, scope: PathScope): void {
  if (!alternatives.some((one) => isAllowedByPath(caller, one, scope)))
    throw noAccess(alternatives.join(" or "), scope);
}

function isAllowedByPath(
  caller: Caller,
  permission: PermissionName,
  { project, environment }: PathScope,
): boolean {
  if (project === undefined) return isAllowedInSomeProject(caller, permission);
  // Only the stored feature says which environments a path without one means.
  const isOfEach = permission === switchPermission || permission === strategyPermission;
  if (environment === undefined && isOfEach) return isAllowedInSomeEnvironment(caller, permission, project);
  return isAllowed(caller, permission, { project, environment });
}
