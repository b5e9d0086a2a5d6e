/** Helpers for tests of patches. */
import { ValidationError } from "../../lib/contract/errors.ts";
import type { Json } from "../../lib/contract/json.ts";
import type { PatchOperation } from "../../lib/contract/patch.ts";
import { applyPatch } from "../../lib/features/patch/apply-patch.ts";

export const add = (path: string, value: Json): PatchOperation => ({ op: "add", path, value });
export const remove = (path: string): PatchOperation => ({ op: "remove", path });
export const replace = (path: string, value: Json): PatchOperation => ({ op: "replace", path, value });

/** A replacement as a difference has it, with what was there. */
export const replaced = (path: string, value: Json, was: Json) => ({ ...replace(path, value), was });
export const copy = (from: string, path: string): PatchOperation => ({ op: "copy", from, path });
export const move = (from: string, path: string): PatchOperation => ({ op: "move", from, path });

export function patched(json: Json, ...patch: PatchOperation[]): Json {
  return applyPatch(json, patch).patched;
}

/** Returns the message of the ValidationError of a patch; rethrows any other error. */
export function refusal(tree: Json, ...patch: PatchOperation[]): string {
  try {
    applyPatch(tree, patch);
  } catch (error) {
    if (error instanceof ValidationError) return error.message;
    throw error;
  }
  throw new Error("the patch was applied");
}

export function times<Value>(count: number, make: (index: number) => Value): Value[] {
  return Array.from({ length: count }, (_, index) => make(index));
}
