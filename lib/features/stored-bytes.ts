/**
 * Measures a value in an item by DynamoDB's rules. A test compares the sizes with those of the engine
 * (infra/engine/values.ts).
 */

const containerBytes = 3;
const elementBytes = 1;

/** What `storedBytes` returns for a value that is nested too deep. */
export const tooDeep = Number.POSITIVE_INFINITY;

/**
 * Returns `tooDeep` if the value is nested deeper than `depth`: by copies into itself, a patch can double the depth with
 * each operation, and later code recurses.
 */
export function storedBytes(value: unknown, depth = Number.POSITIVE_INFINITY): number {
  if (typeof value === "string") return Buffer.byteLength(value);
  if (typeof value === "number") return numberBytes(value);
  if (typeof value !== "object" || value === null) return 1;
  if (depth <= 0) return tooDeep;
  let bytes = containerBytes;
  if (Array.isArray(value)) {
    for (const element of value) bytes += elementBytes + storedBytes(element, depth - 1);
  } else {
    // Object.entries would make a list for each object, of which there may be thousands.
    for (const member in value) {
      const inner = (value as Record<string, unknown>)[member];
      bytes += elementBytes + Buffer.byteLength(member) + storedBytes(inner, depth - 1);
    }
  }
  return bytes;
}

/**
 * Counts a byte for each pair of digits, one for the exponent, and one for a minus sign. The pairs begin at the point,
 * and zeros at both ends have none: 1.5 has the pairs 01 and 50, 110 has 01 and 10, 1000 has 10.
 */
function numberBytes(value: number): number {
  return digitPairsOf(Math.abs(value)) + 1 + (value < 0 ? 1 : 0);
}

function digitPairsOf(value: number): number {
  if (!Number.isSafeInteger(value)) {
    const [digits = "", exponent] = value.toExponential().replace(".", "").split("e");
    // With an even exponent, the first digit is the second of its pair.
    return Math.ceil((digits.length + (Number(exponent) % 2 ? 0 : 1)) / 2);
  }
  // To make a string of each of thousands of numbers would take most of the time of a patch.
  let pairs = 0;
  for (let rest = value; rest > 0; rest = Math.floor(rest / 100)) {
    if (pairs > 0 || rest % 100 > 0) pairs++;
  }
  return pairs;
}
