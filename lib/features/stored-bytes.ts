/** The size of a value in a DynamoDB item, by the documented rules for item sizes. */

const containerBytes = 3;
const elementBytes = 1;

/**
 * Counts each number as one byte, the least it can take, so that nothing that fits is refused. Copies of a document into
 * itself double its depth: `depth` bounds it for everything that recurses over the document later.
 */
export function storedBytes(value: unknown, depth = Number.POSITIVE_INFINITY): number {
  if (typeof value === "string") return Buffer.byteLength(value);
  if (typeof value !== "object" || value === null) return 1;
  if (depth <= 0) return Number.POSITIVE_INFINITY;
  let bytes = containerBytes;
  if (Array.isArray(value)) {
    for (const element of value) bytes += elementBytes + storedBytes(element, depth - 1);
  } else {
    // Object.entries would cost a list for each object of a document that may have many thousands.
    for (const member in value) {
      const content = (value as Record<string, unknown>)[member];
      bytes += elementBytes + Buffer.byteLength(member) + storedBytes(content, depth - 1);
    }
  }
  return bytes;
}
