/** Measures a value in a DynamoDB item, by the documented rules for item sizes. */

const containerBytes = 3;
const elementBytes = 1;

/** `depth` bounds the nesting of a document, which each copy into itself can double, for code that recurses later. */
export function storedBytes(value: unknown, depth = Number.POSITIVE_INFINITY): number {
  if (typeof value === "string") return Buffer.byteLength(value);
  if (typeof value === "number") return numberBytes(value);
  if (typeof value !== "object" || value === null) return 1;
  if (depth <= 0) return Number.POSITIVE_INFINITY;
  let bytes = containerBytes;
  if (Array.isArray(value)) {
    for (const element of value) bytes += elementBytes + storedBytes(element, depth - 1);
  } else {
    // Object.entries would make a list for each of many thousand objects.
    for (const member in value) {
      const content = (value as Record<string, unknown>)[member];
      bytes += elementBytes + Buffer.byteLength(member) + storedBytes(content, depth - 1);
    }
  }
  return bytes;
}

/** A byte for two of its digits from the first to the last that is not 0, one for its exponent, and one for a sign. */
function numberBytes(value: number): number {
  return Math.ceil(digitsOf(Math.abs(value)) / 2) + 1 + (value < 0 ? 1 : 0);
}

function digitsOf(value: number): number {
  if (!Number.isSafeInteger(value)) return value.toExponential().replace(/\.|e.*/g, "").length;
  // A text for each of many thousand weights and override values would take most of the time of a patch.
  let rest = value;
  while (rest > 0 && rest % 10 === 0) rest /= 10;
  let digits = 0;
  for (; rest >= 1; rest /= 10) digits += 1;
  return digits;
}
