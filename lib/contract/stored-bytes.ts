/** What a value takes of the room in a DynamoDB item. */

/**
 * As DynamoDB counts: text in UTF-8, three bytes for a list or an object and one for each of their elements,
 * names of members included. Numbers count for the least they can, so that nothing which fits is taken as too large.
 */
export function storedBytes(value: unknown): number {
  if (typeof value === "string") return new TextEncoder().encode(value).length;
  if (typeof value !== "object" || value === null) return 1;
  const entries = Array.isArray(value)
    ? value.map((element) => ["", element] as const)
    : Object.entries(value);
  return entries.reduce((sum, [name, content]) => sum + 1 + storedBytes(name) + storedBytes(content), 3);
}
