/** Authorises a request: by its path, and by the project and the environments of its feature. */
import { NoAccessError } from "../contract/errors.ts";
import {
  type Caller,
  isAllowed,
  isAllowedInAnyEnvironment,
  isAllowedInAnyProject,
  type MissingPermission,
  noAccess,
  type PermissionName,
  requireMayRead,
  requirePermission,
  whatIsMissing,
} from "./permissions.ts";

/** Required in each environment of a change of variants. */
export const environmentPermission: PermissionName = "UPDATE_FEATURE_ENVIRONMENT_VARIANTS";

/** Required in the project too, for a change of variants in every environment. */
export const featurePermission: PermissionName = "UPDATE_FEATURE_VARIANTS";

/** Required in each environment that is switched on or off. */
export const switchPermission: PermissionName = "UPDATE_FEATURE_ENVIRONMENT";

/** Required in the feature's project, for an update of its tags. */
export const tagsPermission: PermissionName = "UPDATE_FEATURE";

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

interface Place {
  project?: string | undefined;
  environment?: string | undefined;
}

export function authorisePath(
  caller: Caller,
  { permission, dryRun, strict, project, environment }: PathRequest & Place,
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

function requireByPath(caller: Caller, [first, ...others]: Alternatives, place: Place): void {
  if (![first, ...others].some((one) => isAllowedByPath(caller, one, place))) throw noAccess(first, place);
}

function isAllowedByPath(
  caller: Caller,
  permission: PermissionName,
  { project, environment }: Place,
): boolean {
  if (project === undefined) return isAllowedInAnyProject(caller, permission);
  // Only the stored feature says which environments a path without one means.
  const isForEach = environment === undefined && permission === switchPermission;
  if (isForEach) return isAllowedInAnyEnvironment(caller, permission, project);
  return isAllowed(caller, permission, { project, environment });
}

/** The path of tags names no project, so `authorisePath` has only required that the caller may read some project. */
export function authoriseReadOfTags(caller: Caller, project: string): void {
  requireMayRead(caller, project);
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

/** What a request changes, and where. */
export interface Touched {
  /** Each environment of the path, if the variants are changed in any. */
  variants?: Environments;
  /** The environments that are switched. */
  enabled?: Environments;
}

export function authoriseChange(caller: Caller, target: InProject, touched: Touched): void {
  const { project } = target;
  const missing = missingPermissions(caller, target, touched);
  const messages = missing.map(({ permission, environment }) =>
    whatIsMissing(permission, { project, environment }),
  );
  const [first] = messages;
  if (first) throw new NoAccessError(first, { details: messages.map((message) => ({ message })) });
}

export function missingPermissions(
  caller: Caller,
  { project, environment }: InProject,
  { variants, enabled = [] }: Touched,
): MissingPermission[] {
  const isForAll = variants !== undefined && environment === undefined;
  const lacksFeature = isForAll && !isAllowed(caller, featurePermission, { project });
  const missingIn = (environments: Environments, permission: PermissionName) =>
    environments
      .filter(({ environment }) => !isAllowed(caller, permission, { project, environment }))
      .map(({ environment }) => ({ permission, environment }));
  return [
    ...(lacksFeature ? [{ permission: featurePermission }] : []),
    ...missingIn(variants ?? [], environmentPermission),
    ...missingIn(enabled, switchPermission),
  ];
}
