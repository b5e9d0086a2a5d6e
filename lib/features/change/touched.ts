/** What a request may change in each environment, and the permissions that it needs for that. */
import type { Required } from "../../access/authorise-change.ts";
import {
  type PermissionName,
  strategyPermission,
  switchPermission,
  variantsPermission,
} from "../../access/permissions.ts";
import { type Aspect, aspects, type Edit, type Found, type PatchEdit, touchedBy } from "../model.ts";

/** Required in each environment where the aspect changes. */
const permissionOf: Readonly<Record<Aspect, PermissionName>> = {
  variants: variantsPermission,
  enabled: switchPermission,
  strategies: strategyPermission,
  dependencies: strategyPermission,
  targeting: strategyPermission,
};

export function requiredBy(edit: Edit, found: readonly Found[]): Required[] {
  // A trip needs its own permission alone, which the path has required.
  if (edit.kind === "undo" && edit.guard !== undefined) return [];
  const touched = touchedIn(edit, found);
  const inOrder = Object.keys(permissionOf) as Aspect[];
  const required = inOrder.flatMap((aspect) =>
    found
      .filter((_, index) => touched[index]?.includes(aspect))
      .map(({ state: { environment } }) => ({ permission: permissionOf[aspect], environment })),
  );
  const distinct = new Map(required.map((one) => [JSON.stringify(one), one]));
  return [...distinct.values()];
}

/**
 * By the index of the environment. An undo touches what the undone change has touched; if that touched variants anywhere,
 * those of all its environments.
 */
function touchedIn(edit: Edit, found: readonly Found[]): (readonly Aspect[])[] {
  switch (edit.kind) {
    case "patch": {
      const touched = touchedByPatch(edit);
      return found.map(() => touched);
    }
    case "switch":
      return found.map(() => ["enabled"]);
    case "undo": {
      // On a retry the undone change may be deleted. The undo, `ownChange`, touched the same aspects.
      const touched = found.map(({ toUndo, ownChange }) => {
        const change = toUndo?.change ?? ownChange;
        return change ? touchedBy(change) : [];
      });
      const hasVariants = touched.some((aspects) => aspects.includes("variants"));
      return hasVariants ? touched.map((aspects): Aspect[] => [...aspects, "variants"]) : touched;
    }
  }
}

/** What the patch may change, by its paths alone: the permissions that it needs do not depend on what is stored. */
function touchedByPatch({ root, patch }: Omit<PatchEdit, "kind">): readonly Aspect[] {
  if (root === "variants") return ["variants"];
  if (root !== "environment") return ["strategies"];
  const pointers = patch.flatMap((one) => (one.op === "move" ? [one.path, one.from] : [one.path]));
  return pointers.includes("") ? aspects : aspects.filter((aspect) => pointers.some(isIn(aspect)));
}

const isIn = (aspect: Aspect) => (pointer: string) => pointer.split("/")[1] === aspect;
