/** A copy of JSON that shares nothing with it, in a fraction of the time that text or structuredClone takes. */
import { isContainer, type Json } from "../json.ts";

export function copy(value: Json): Json {
  if (!isContainer(value)) return value;
  const result = Array.isArray(value) ? value.slice() : { ...value };
  if (Array.isArray(result)) {
    for (let index = 0; index < result.length; index++) result[index] = copy(result[index] ?? null);
    return result;
  }
  // A spread defines every member as its own, `__proto__` too; all that is left are those that share.
  for (const member in result) {
    const content = result[member];
    if (isContainer(content)) result[member] = copy(content);
  }
  return result;
}
