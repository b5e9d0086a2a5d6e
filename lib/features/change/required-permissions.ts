/** Which permissions a request requires, by what it may change in each environment. */
import type { Required } from "../../access/authorise-change.ts";
import type { PermissionName } from "../../access/permissions.ts";
import {
  type Aspect,
  aspects,
  aspectsOfChange,
  type Edit,
  type PatchEdit,
  type SwitchEdit,
  type TargetEnvironment,
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

/** In the order of `permissionOf`, and for each aspect in that of the environments. */
export function requiredBy(edit: Edit, found: readonly TargetEnvironment[]): Required[] {
  const aspectsIn = edit.kind === "undo" ? aspectsOfUndo(edit, found) : aspectsOfEdit(edit, found);
  const inOrder = Object.keys(permissionOf) as Aspect[];
  const required = inOrder.flatMap((aspect) =>
    found
      .filter((one) => aspectsIn.get(one)?.includes(aspect))
      .map(({ state: { environment } }) => ({ permission: permissionOf[aspect], environment })),
  );
  const distinct = new Map(required.map((one) => [JSON.stringify(one), one]));
  return [...distinct.values()];
}

/** What a request may change in each environment. */
type AspectsIn = ReadonlyMap<TargetEnvironment, readonly Aspect[]>;

function aspectsOfEdit(edit: PatchEdit | SwitchEdit, found: readonly TargetEnvironment[]): AspectsIn {
  const ofEdit = edit.kind === "switch" ? (["enabled"] as const) : aspectsOfPatch(edit);
  return new Map(found.map((one) => [one, ofEdit]));
}

/** An undo of variants requires the permission for variants in every environment, as a patch of them does. */
function aspectsOfUndo({ trippedGuard }: UndoEdit, found: readonly TargetEnvironment[]): AspectsIn {
  // A trip needs its own permission alone, which the path has required.
  if (trippedGuard !== undefined) return new Map();
  const undone = new Map<TargetEnvironment, readonly Aspect[]>();
  for (const one of found) {
    // On a retry the undone change may be deleted. The undo, `ownChange`, has changed the same aspects.
    const change = one.toUndo?.change ?? one.ownChange;
    undone.set(one, change ? aspectsOfChange(change) : []);
  }
  const undoesVariants = [...undone.values()].some((aspects) => aspects.includes("variants"));
  if (undoesVariants) for (const [one, aspects] of undone) undone.set(one, [...aspects, "variants"]);
  return undone;
}

/** What the patch may change, by its paths alone: the permissions that it needs do not depend on what is stored. */
function aspectsOfPatch({ root, patch }: Omit<PatchEdit, "kind">): readonly Aspect[] {
  if (root === "variants") return ["variants"];
  if (root !== "environment") return ["strategies"];
  const pointers = patch.flatMap((one) => (one.op === "move" ? [one.path, one.from] : [one.path]));
  return pointers.includes("") ? aspects : aspects.filter((aspect) => pointers.some(isIn(aspect)));
}

const isIn = (aspect: Aspect) => (pointer: string) => pointer.split("/")[1] === aspect;
