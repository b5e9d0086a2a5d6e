/** Attribute values as DynamoDB's JSON has them: their order, equality, size and arithmetic. */

export type Value = Readonly<
  | { S: string }
  | { N: string }
  | { B: string }
  | { BOOL: boolean }
  | { NULL: true }
  | { L: readonly Value[] }
  | { M: Item }
  | { SS: readonly string[] }
  | { NS: readonly string[] }
  | { BS: readonly string[] }
>;

export type Item = Readonly<{ [name: string]: Value }>;

/** What the exploration must not go past: a call that this table does not know, and so could answer wrongly. */
export class NotUnderstood extends Error {
  constructor(what: string) {
    super(`the table in memory does not understand ${what}`);
  }
}

/** A refusal that the engine answers with. */
export class Refused extends Error {
  readonly type: string;
  readonly item: Item | undefined;

  constructor(type: string, message: string, item?: Item) {
    super(message);
    this.type = type;
    this.item = item;
  }
}

export const invalid = (message: string) => new Refused("ValidationException", message);

export type Type = "S" | "N" | "B" | "BOOL" | "NULL" | "L" | "M" | "SS" | "NS" | "BS";

export function typeOf(value: Value): Type {
  const [type, ...more] = Object.keys(value) as Type[];
  if (type === undefined || more.length > 0) throw new NotUnderstood(`the value ${JSON.stringify(value)}`);
  return type;
}

/** The content under the type's letter. */
export function contentOf(value: Value): unknown {
  return Object.values(value)[0];
}

/** Sets have no order; maps have none either. */
export function isEqual(left: Value, right: Value): boolean {
  if (left === right) return true;
  const type = typeOf(left);
  if (type !== typeOf(right)) return false;
  if ("M" in left && "M" in right) return isEqualMap(left.M, right.M);
  if ("L" in left && "L" in right) {
    const { L } = right;
    return left.L.length === L.length && left.L.every((each, index) => isEqual(each, L[index] as Value));
  }
  if ("N" in left && "N" in right) return toNumber(left.N) === toNumber(right.N);
  if (type === "SS" || type === "NS" || type === "BS") return sorted(left) === sorted(right);
  return contentOf(left) === contentOf(right);
}

function isEqualMap(left: Item, right: Item): boolean {
  const names = Object.keys(left);
  if (names.length !== Object.keys(right).length) return false;
  return names.every((name) => {
    const [one, other] = [left[name], Object.hasOwn(right, name) ? right[name] : undefined];
    return one !== undefined && other !== undefined && isEqual(one, other);
  });
}

function sorted(set: Value): string {
  return JSON.stringify([...(contentOf(set) as string[])].sort());
}

/** Below 0, 0 or above; undefined for values that have no order. */
export function compare(left: Value, right: Value): number | undefined {
  if ("N" in left && "N" in right) return toNumber(left.N) - toNumber(right.N);
  if ("S" in left && "S" in right) return compareText(left.S, right.S);
  if ("B" in left && "B" in right) {
    return Buffer.compare(Buffer.from(left.B, "base64"), Buffer.from(right.B, "base64"));
  }
  return undefined;
}

/** By their bytes in UTF-8. */
export function compareText(left: string, right: string): number {
  return left === right ? 0 : Buffer.compare(Buffer.from(left), Buffer.from(right));
}

/** DynamoDB counts with 38 digits: what JavaScript cannot hold exactly is not understood here. */
export function toNumber(text: string): number {
  const number = Number(text);
  if (String(number) !== text || (Number.isInteger(number) && !Number.isSafeInteger(number))) {
    throw new NotUnderstood(`the number "${text}"`);
  }
  return number;
}

/** What `size` says of a value; undefined of a type that has none. Of a string, engines count bytes or characters. */
export function sizeOf(value: Value): number | undefined {
  if ("S" in value) {
    if (Buffer.byteLength(value.S) !== value.S.length) throw new NotUnderstood("size of a string");
    return value.S.length;
  }
  if ("B" in value) return Buffer.byteLength(value.B, "base64");
  if ("M" in value) return Object.keys(value.M).length;
  const content = contentOf(value);
  return Array.isArray(content) ? content.length : undefined;
}

/** What an item takes of its 400 KB. Exact for texts; a number is counted as it is by DynamoDB, by pairs of digits. */
export function bytesOf(value: Value): number {
  if ("S" in value) return Buffer.byteLength(value.S);
  if ("B" in value) return Buffer.byteLength(value.B, "base64");
  if ("N" in value) return Math.ceil(value.N.replace(/^-|\.|0+$/g, "").length / 2) + 1;
  if ("L" in value) return value.L.reduce((sum, each) => sum + bytesOf(each) + 1, 3);
  if ("M" in value) return itemBytes(value.M) + 3 + Object.keys(value.M).length;
  if ("BOOL" in value || "NULL" in value) return 1;
  const type = typeOf(value)[0] as "S";
  return (contentOf(value) as string[]).reduce((sum, each) => sum + bytesOf({ [type]: each } as Value), 0);
}

export function itemBytes(item: Item): number {
  return Object.entries(item).reduce(
    (sum, [name, value]) => sum + Buffer.byteLength(name) + bytesOf(value),
    0,
  );
}
