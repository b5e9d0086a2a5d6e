/** Measures a value in a DynamoDB item, by the documented rules for item sizes. */

const containerBytes = 3;
const elementBytes = 1;

/**
 * Returns Infinity if the value is nested deeper than `depth`: copies into itself can double the depth, and later code
 * recurses.
 */
export function storedBytes(value: unknown, depth = Number.POSITIVE_INFINITY): number {
  if (typeof value === "string") return Buffer.byteLength(value);
  if (typeof value === "number") return numberBytes(value);
  if (typeof value !== "object" || value === null) return 1;
  if (depth <= 0) return Number.POSITIVE_INFINITY;
  let bytes = containerBytes;
  if (Array.isArray(value)) {
    for (const element of value) bytes += elementBytes + storedBytes(element, depth - 1);
  } else {
    // Object.entries would make a list for each object, of which there may be thousands.
    for (const member in value) {
      const content = (value as Record<string, unknown>)[member];
      bytes += elementBytes + Buffer.byteLength(member) + storedBytes(content, depth - 1);
    }
  }
  return bytes;
}

/** Counts a byte for every two significant digits, one for the exponent, and one for a minus sign. */
function numberBytes(value: number): number {
  return Math.ceil(digitsOf(Math.abs(value)) / 2) + 1 + (value < 0 ? 1 : 0);
}

function digitsOf(value: number): number {
  if (!Number.isSafeInteger(value)) return value.toExponential().replace(/\.|e.*/g, "").length;
  // To make a string of each of thousands of numbers would take most of the time of a patch.
  let rest = value;
  while (rest > 0 && rest % 10 === 0) rest /= 10;
  let digits = 0;
  for (; rest >= 1; rest /= 10) digits += 1;
  return digits;
}
