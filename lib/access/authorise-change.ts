/** Authorises a change of a feature by what it changes in each environment. */
import { NoAccessError } from "../contract/errors.ts";
import {
  type Caller,
  type MissingPermission,
  missingAmong,
  missingMessage,
  type PermissionScope,
} from "./permissions.ts";

/** A permission that a change requires in one environment. */
export type RequiredPermission = MissingPermission & { environment: string };

export function authoriseChange(
  caller: Caller,
  target: PermissionScope,
  required: readonly RequiredPermission[],
): void {
  const { project } = target;
  const missing = missingPermissions(caller, target, required);
  const messages = missing.map(({ permission, environment }) =>
    missingMessage(permission, { project, environment }),
  );
  const [first] = messages;
  if (first) throw new NoAccessError(first, { details: messages.map((message) => ({ message })) });
}

/** A change of variants in every environment also requires `UPDATE_FEATURE_VARIANTS` in the project. */
export function missingPermissions(
  caller: Caller,
  { project, environment }: PermissionScope,
  required: readonly RequiredPermission[],
): MissingPermission[] {
  const changesVariants = required.some(
    ({ permission }) => permission === "UPDATE_FEATURE_ENVIRONMENT_VARIANTS",
  );
  const isInEveryEnvironment = environment === undefined;
  const projectPermission = { permission: "UPDATE_FEATURE_VARIANTS" } as const;
  const inProject = changesVariants && isInEveryEnvironment ? [projectPermission] : [];
  return missingAmong([...inProject, ...required], caller, project);
}
