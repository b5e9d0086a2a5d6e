/** Authorises a request by what is stored: the project of its feature, and the environments that it changes. */
import { NoAccessError } from "../contract/errors.ts";
import {
  allEnvironmentsPermission,
  type Caller,
  isAllowed,
  type MissingPermission,
  type PermissionName,
  type PermissionScope,
  requireMayRead,
  requirePermission,
  strategyPermission,
  switchPermission,
  tagsPermission,
  variantsPermission,
  whatIsMissing,
} from "./permissions.ts";

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

type Environments = readonly { environment: string }[];

/** What a request changes, and where. */
export interface Touched {
  /** All environments of the request, as soon as variants change in one. */
  variants?: Environments | undefined;
  /** The environments that are switched. */
  enabled?: Environments | undefined;
  /** The environments whose strategies or targeting are changed. */
  strategies?: Environments | undefined;
}

export function authoriseChange(caller: Caller, target: PermissionScope, touched: Touched): void {
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
  { project, environment }: PermissionScope,
  { variants, enabled = [], strategies = [] }: Touched,
): MissingPermission[] {
  const isForAll = variants !== undefined && environment === undefined;
  const lacksAllEnvironments = isForAll && !isAllowed(caller, allEnvironmentsPermission, { project });
  const missingIn = (environments: Environments, permission: PermissionName) =>
    environments
      .filter(({ environment }) => !isAllowed(caller, permission, { project, environment }))
      .map(({ environment }) => ({ permission, environment }));
  return [
    ...(lacksAllEnvironments ? [{ permission: allEnvironmentsPermission }] : []),
    ...missingIn(variants ?? [], variantsPermission),
    ...missingIn(enabled, switchPermission),
    ...missingIn(strategies, strategyPermission),
  ];
}
