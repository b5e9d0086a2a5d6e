/** Which permissions a request requires, by what it may change in each environment. */
import type { Required } from "../../access/authorise-change.ts";
import type { PermissionName } from "../../access/permissions.ts";
import { type Aspect, aspects, aspectsOfChange, type Edit, type Found, type PatchEdit } from "../model.ts";

/** Required in each environment where the aspect changes. */
const permissionOf: Readonly<Record<Aspect, PermissionName>> = {
  variants: "UPDATE_FEATURE_ENVIRONMENT_VARIANTS",
  enabled: "UPDATE_FEATURE_ENVIRONMENT",
  strategies: "UPDATE_FEATURE_STRATEGY",
  dependencies: "UPDATE_FEATURE_STRATEGY",
  targeting: "UPDATE_FEATURE_STRATEGY",
};

export function requiredBy(edit: Edit, found: readonly Found[]): Required[] {
  // A trip needs its own permission alone, which the path has required.
  if (edit.kind === "undo" && edit.guard !== undefined) return [];
  const mayChange = aspectsOfEdit(edit, found);
  const inOrder = Object.keys(permissionOf) as Aspect[];
  const required = inOrder.flatMap((aspect) =>
    found
      .filter((_, index) => mayChange[index]?.includes(aspect))
      .map(({ state: { environment } }) => ({ permission: permissionOf[aspect], environment })),
  );
  const distinct = new Map(required.map((one) => [JSON.stringify(one), one]));
  return [...distinct.values()];
}

/**
 * By the index of the environment. An undo may change what the undone change has changed there. If that has changed variants
 * anywhere, the undo requires the permission for variants in every environment of the request.
 */
function aspectsOfEdit(edit: Edit, found: readonly Found[]): (readonly Aspect[])[] {
  switch (edit.kind) {
    case "patch": {
      const ofPatch = aspectsOfPatch(edit);
      return found.map(() => ofPatch);
    }
    case "switch":
      return found.map(() => ["enabled"]);
    case "undo": {
      // On a retry the undone change may be deleted. The undo, `ownChange`, has changed the same aspects.
      const undone = found.map(({ toUndo, ownChange }) => {
        const change = toUndo?.change ?? ownChange;
        return change ? aspectsOfChange(change) : [];
      });
      const hasVariants = undone.some((aspects) => aspects.includes("variants"));
      return hasVariants ? undone.map((aspects): Aspect[] => [...aspects, "variants"]) : undone;
    }
  }
}

/** What the patch may change, by its paths alone: the permissions that it needs do not depend on what is stored. */
function aspectsOfPatch({ root, patch }: Omit<PatchEdit, "kind">): readonly Aspect[] {
  if (root === "variants") return ["variants"];
  if (root !== "environment") return ["strategies"];
  const pointers = patch.flatMap((one) => (one.op === "move" ? [one.path, one.from] : [one.path]));
  return pointers.includes("") ? aspects : aspects.filter((aspect) => pointers.some(isIn(aspect)));
}

const isIn = (aspect: Aspect) => (pointer: string) => pointer.split("/")[1] === aspect;
