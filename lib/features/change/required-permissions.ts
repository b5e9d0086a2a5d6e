/** Finds the permissions that a change requires, by what it may change in each environment. */
import type { PermissionName, RequiredPermission } from "../../access/permissions.ts";
import {
  type Aspect,
  aspects,
  type ChangeRequest,
  type Edit,
  type EnvironmentWithChanges,
  type PatchEdit,
  type UndoEdit,
} from "../model.ts";

/** The permission for an aspect, in each environment where the request may change it. */
const permissionOf: Readonly<Record<Aspect, PermissionName>> = {
  variants: "UPDATE_FEATURE_ENVIRONMENT_VARIANTS",
  enabled: "UPDATE_FEATURE_ENVIRONMENT",
  strategies: "UPDATE_FEATURE_STRATEGY",
  dependencies: "UPDATE_FEATURE_STRATEGY",
  targeting: "UPDATE_FEATURE_STRATEGY",
};

/** The permission in the project for a change of variants in every environment, besides the one in each environment. */
const variantsEverywhere = "UPDATE_FEATURE_VARIANTS";

const inOneEnvironment = [...new Set(Object.values(permissionOf))];

/** The permissions of a route that may change any aspect: its path requires one of them. */
export const permissionsOfAnyChange = {
  inOneEnvironment,
  inEveryEnvironment: inOneEnvironment.map((name) =>
    name === permissionOf.variants ? variantsEverywhere : name,
  ),
};

/**
 * Returns the permissions that the caller must have. The permission for variants in every environment comes first. The
 * others are in the order of `permissionOf`, and for one aspect in that of the project's environments.
 */
export function requiredPermissions(
  { edit, target }: Pick<ChangeRequest, "edit" | "target">,
  environments: readonly EnvironmentWithChanges[],
): RequiredPermission[] {
  const aspectsIn = aspectsOfEdit(edit, environments);
  const required = aspectsInOrder.flatMap((aspect) =>
    environments
      .filter((environment) => aspectsIn(environment).includes(aspect))
      .map(({ state }) => ({ permission: permissionOf[aspect], environment: state.environment })),
  );
  const isEverywhere = target.environment === undefined;
  const changesVariants = required.some(({ permission }) => permission === permissionOf.variants);
  const inProject = isEverywhere && changesVariants ? [{ permission: variantsEverywhere } as const] : [];
  return [...inProject, ...removeDuplicates(required)];
}

const aspectsInOrder = Object.keys(permissionOf) as Aspect[];

/** Several aspects may have one permission. */
function removeDuplicates(required: readonly RequiredPermission[]): RequiredPermission[] {
  return [...new Map(required.map((permission) => [JSON.stringify(permission), permission])).values()];
}

/** Returns the aspects that the request may change in each of the environments. */
type AspectsIn = (environment: EnvironmentWithChanges) => readonly Aspect[];

function aspectsOfEdit(edit: Edit, environments: readonly EnvironmentWithChanges[]): AspectsIn {
  switch (edit.kind) {
    case "switch":
      return () => ["enabled"];
    case "patch":
      return () => aspectsOfPatch(edit);
    case "strategy":
      return () => ["strategies"];
    case "undo":
      return aspectsOfUndo(edit, environments);
  }
}

/** An undo of variants requires the permission for variants in every environment, as a patch of them does. */
function aspectsOfUndo(
  { trippedGuardName }: UndoEdit,
  environments: readonly EnvironmentWithChanges[],
): AspectsIn {
  // A trip needs its own permission alone, which the path has required.
  if (trippedGuardName !== undefined) return () => [];
  const undoesVariants = environments.some((environment) => undoneAspects(environment).includes("variants"));
  return (environment) => [...(undoesVariants ? (["variants"] as const) : []), ...undoneAspects(environment)];
}

/** On a retry the undone change may be deleted. The undo, `ownChange`, has changed the same aspects. */
function undoneAspects({ changeToUndo, ownChange }: EnvironmentWithChanges): readonly Aspect[] {
  const change = changeToUndo?.change ?? ownChange;
  return aspects.filter((aspect) => change?.old[aspect] !== undefined);
}

/** Looks at the paths alone: the permissions that a patch needs do not depend on what is stored. */
function aspectsOfPatch({ root, patch }: PatchEdit): readonly Aspect[] {
  if (root === "variants") return ["variants"];
  const pointers = patch.flatMap((operation) =>
    operation.op === "move" ? [operation.path, operation.from] : [operation.path],
  );
  const isNamed = (aspect: Aspect) => pointers.some((pointer) => pointer.split("/")[1] === aspect);
  return pointers.includes("") ? aspects : aspects.filter(isNamed);
}
