/** What a request that changes variants needs, in the project and in each environment. */
import { type Caller, isAllowed, type MissingPermission, noAccess, type Permission } from "./permissions.ts";

/** Needed in each environment of a request that changes variants. */
export const environmentPermission: Permission = "UPDATE_FEATURE_ENVIRONMENT_VARIANTS";

/** Needed in the project as well, by a request for every environment. */
export const featurePermission: Permission = "UPDATE_FEATURE_VARIANTS";

interface Place {
  project: string;
  /** Of a request for one environment. */
  environment?: string | undefined;
}

export function missingPermissions(
  caller: Caller,
  { project, environment: only }: Place,
  environments: readonly { environment: string }[],
): MissingPermission[] {
  const needed: MissingPermission[] = [
    ...(only === undefined ? [{ permission: featurePermission }] : []),
    ...environments.map(({ environment }) => ({ permission: environmentPermission, environment })),
  ];
  return needed.filter(
    ({ permission, environment }) => !isAllowed(caller, permission, { project, environment }),
  );
}

/** Throws before any environment is written, and names every missing permission. */
export function requirePermissions(missing: readonly MissingPermission[], { project }: Place): void {
  const errors = missing.map(({ permission, environment }) => noAccess(permission, { project, environment }));
  if (errors[0]) throw errors[0].withContext({ details: errors.map(({ message }) => ({ message })) });
}
