/** Authorises a request by what is stored: the project of its feature, and the environments that it changes. */
import { NoAccessError } from "../contract/errors.ts";
import {
  allEnvironmentsPermission,
  type Caller,
  isAllowed,
  type MissingPermission,
  mayRead,
  type PermissionScope,
  requirePermission,
  tagsPermission,
  variantsPermission,
  whatIsMissing,
} from "./permissions.ts";

/** The path of tags names no project, so `authorisePath` has only required that the caller may read some project. */
export function mayReadTags(caller: Caller, project: string): boolean {
  return mayRead(caller, project);
}

export function authoriseTags(caller: Caller, project: string): void {
  requirePermission(caller, tagsPermission, { project });
}

export function missingForTags(caller: Caller, project: string): MissingPermission[] {
  return isAllowed(caller, tagsPermission, { project }) ? [] : [{ permission: tagsPermission }];
}

/** What a change requires in one environment. Where it changes variants in every environment, that is added here. */
export type Required = MissingPermission & { environment: string };

export function authoriseChange(
  caller: Caller,
  target: PermissionScope,
  required: readonly Required[],
): void {
  const { project } = target;
  const missing = missingPermissions(caller, target, required);
  const messages = missing.map(({ permission, environment }) =>
    whatIsMissing(permission, { project, environment }),
  );
  const [first] = messages;
  if (first) throw new NoAccessError(first, { details: messages.map((message) => ({ message })) });
}

export function missingPermissions(
  caller: Caller,
  { project, environment }: PermissionScope,
  required: readonly Required[],
): MissingPermission[] {
  const hasVariants = required.some(({ permission }) => permission === variantsPermission);
  const isForAll = hasVariants && environment === undefined;
  const lacksAllEnvironments = isForAll && !isAllowed(caller, allEnvironmentsPermission, { project });
  return [
    ...(lacksAllEnvironments ? [{ permission: allEnvironmentsPermission }] : []),
    ...required.filter(
      ({ permission, environment }) => !isAllowed(caller, permission, { project, environment }),
    ),
  ];
}
