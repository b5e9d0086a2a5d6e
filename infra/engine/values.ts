/** DynamoDB's values: their types, sizes and order. */

export type Value = Readonly<
  | { S: string }
  | { N: string }
  | { B: string }
  | { BOOL: boolean }
  | { NULL: true }
  | { L: readonly Value[] }
  | { M: Item }
>;

export type Item = Readonly<{ [name: string]: Value }>;

const containerBytes = 3;
const elementBytes = 1;

/** Measures an item by the documented rules for item sizes, and numbers as DynamoDB stores them: the rules only estimate these. */
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

/**
 * A byte for two digits, counted from the point, one for the exponent, and one for a minus: 1.5 has the pairs 01 and 50.
 * Pairs of zeros at both ends do not count.
 */
function numberBytes(text: string): number {
  const [whole = "", fraction = ""] = text.replace("-", "").split(".");
  const digits = "0".repeat(whole.length % 2) + whole + fraction + "0".repeat(fraction.length % 2);
  const pairs = digits.replace(/^(?:00)+/, "").replace(/(?:00)+$/, "").length / 2;
  return pairs + 1 + (text.startsWith("-") ? 1 : 0);
}

const isAscii = (text: string) => Buffer.byteLength(text) === text.length;

/** DynamoDB sorts text by its bytes in UTF-8; `<` compares UTF-16 units, which differ only beyond U+D7FF. */
export function compareText(left: string, right: string): number {
  if (left === right) return 0;
  if (isAscii(left) && isAscii(right)) return left < right ? -1 : 1;
  return Buffer.compare(Buffer.from(left), Buffer.from(right));
}
