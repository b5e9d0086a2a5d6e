/** Authorises a change of a feature by what it changes in each environment. */
import { NoAccessError } from "../contract/errors.ts";
import {
  type Caller,
  isAllowed,
  type MissingPermission,
  type PermissionScope,
  whatIsMissing,
} from "./permissions.ts";

/** What a change requires in one environment. */
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

/** A change of variants in every environment also requires `UPDATE_FEATURE_VARIANTS` in the project. */
export function missingPermissions(
  caller: Caller,
  { project, environment }: PermissionScope,
  required: readonly Required[],
): MissingPermission[] {
  const changesVariants = required.some(
    ({ permission }) => permission === "UPDATE_FEATURE_ENVIRONMENT_VARIANTS",
  );
  const ofProject = "UPDATE_FEATURE_VARIANTS";
  const lacksOfProject =
    changesVariants && environment === undefined && !isAllowed(caller, ofProject, { project });
  return [
    ...(lacksOfProject ? [{ permission: ofProject } as const] : []),
    ...required.filter(
      ({ permission, environment }) => !isAllowed(caller, permission, { project, environment }),
    ),
  ];
}
