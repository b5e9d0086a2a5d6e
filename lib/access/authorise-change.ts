/** Authorises a request by what is stored: the project of its feature, and the environments that it changes. */
import { isDeepStrictEqual } from "node:util";
import { NoAccessError } from "../contract/errors.ts";
import type { Aspect } from "../features/model.ts";
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

/** What a request changes, and where. Variants: in all environments of the request, as soon as they change in one. */
export type Touched = Partial<Record<Aspect, Environments | undefined>>;

/** Required in each environment where the aspect changes. */
const permissionOf: Readonly<Record<Aspect, PermissionName>> = {
  variants: variantsPermission,
  enabled: switchPermission,
  strategies: strategyPermission,
  dependencies: strategyPermission,
  targeting: strategyPermission,
};

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
  touched: Touched,
): MissingPermission[] {
  const isForAll = touched.variants !== undefined && environment === undefined;
  const lacksAllEnvironments = isForAll && !isAllowed(caller, allEnvironmentsPermission, { project });
  const permissions = Object.keys(permissionOf) as Aspect[];
  const required = permissions.flatMap((aspect) =>
    (touched[aspect] ?? []).map(({ environment }) => ({ permission: permissionOf[aspect], environment })),
  );
  const isFirst = (one: MissingPermission, index: number) =>
    required.findIndex((other) => isDeepStrictEqual(one, other)) === index;
  return [
    ...(lacksAllEnvironments ? [{ permission: allEnvironmentsPermission }] : []),
    ...required
      .filter(isFirst)
      .filter(({ permission, environment }) => !isAllowed(caller, permission, { project, environment })),
  ];
}
