/** Sizes and order of DynamoDB's values. */
import type { Item, Value } from "./expressions.ts";

const containerBytes = 3;
const elementBytes = 1;

/** By the documented rules for item sizes. */
export function itemBytes(item: Item): number {
  let bytes = 0;
  for (const name in item) bytes += Buffer.byteLength(name) + valueBytes(item[name] as Value);
  return bytes;
}

function valueBytes(value: Value): number {
  if ("S" in value) return Buffer.byteLength(value.S);
  if ("N" in value) return numberBytes(value.N);
  if ("L" in value) return value.L.reduce((sum, one) => sum + elementBytes + valueBytes(one), containerBytes);
  if ("M" in value) return containerBytes + itemBytes(value.M) + elementBytes * Object.keys(value.M).length;
  if ("B" in value) return Buffer.byteLength(value.B, "base64");
  return 1;
}

/** A byte for two of its digits from the first to the last that is not 0, one for its exponent, and one for a sign. */
function numberBytes(text: string): number {
  const digits = text.replace(/^-|[eE].*$|\./g, "").replace(/^0+|0+$/g, "");
  return Math.ceil(digits.length / 2) + 1 + (text.startsWith("-") ? 1 : 0);
}

/** DynamoDB sorts text by its bytes in UTF-8; `<` compares UTF-16 units, which differ only beyond U+D7FF. */
export function compareText(left: string, right: string): number {
  if (left === right) return 0;
  // ASCII is compared without copies.
  if (/^[\0-\x7f]*$/.test(left) && /^[\0-\x7f]*$/.test(right)) return left < right ? -1 : 1;
  return Buffer.compare(Buffer.from(left), Buffer.from(right));
}
