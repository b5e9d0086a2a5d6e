/** JSON documents, and why an operation cannot be applied to one. */

export type Json = null | boolean | number | string | Json[] | { [member: string]: Json };

export type Container = Json[] | { [member: string]: Json };

/** The reason; the operation and its path are added by `applyPatch`. */
export class PatchError extends Error {}

export function isContainer(value: Json | undefined): value is Container {
  return typeof value === "object" && value !== null;
}

/** Shares nothing with the original, in a fraction of the time that text or structuredClone takes. */
export function copyJson(value: Json): Json {
  if (!isContainer(value)) return value;
  const result = Array.isArray(value) ? value.slice() : { ...value };
  if (Array.isArray(result)) {
    for (let index = 0; index < result.length; index++) result[index] = copyJson(result[index] ?? null);
    return result;
  }
  // A spread defines every member as its own, `__proto__` too; what is left are the containers, which are shared.
  for (const member in result) {
    const content = result[member];
    if (isContainer(content)) result[member] = copyJson(content);
  }
  return result;
}
