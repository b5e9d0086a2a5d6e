/** Checks the JSON of calls: each throws if a value is not of its kind, and says where. */
import { invalid, NotUnderstood, notOfSchema } from "./refusals.ts";
import type { Item, Value } from "./values.ts";

export type Check = (value: unknown, where: string) => void;

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function requireKind(isOfKind: boolean, value: unknown, where: string): asserts isOfKind {
  if (!isOfKind) throw new NotUnderstood(`${where} ${JSON.stringify(value)?.slice(0, 100)}`);
}

/** A lone surrogate has no bytes in UTF-8. */
export const text: Check = (value, where) =>
  requireKind(typeof value === "string" && value.isWellFormed(), value, where);

export const textLike =
  (form: RegExp): Check =>
  (value, where) => {
    text(value, where);
    requireKind(form.test(String(value)), value, where);
  };

export const boolean: Check = (value, where) => requireKind(typeof value === "boolean", value, where);

export const count: Check = (value, where) =>
  requireKind(typeof value === "number" && Number.isSafeInteger(value) && value > 0, value, where);

export const oneOf =
  (...known: readonly unknown[]): Check =>
  (value, where) =>
    requireKind(known.includes(value), value, where);

export const listOf =
  (check: Check): Check =>
  (value, where) => {
    requireKind(Array.isArray(value), value, where);
    for (const [index, one] of value.entries()) check(one, `${where}[${index}]`);
  };

/** Checks an object of any members, whose values pass `check`. */
export const recordOf =
  (check: Check, name: RegExp = /^/): Check =>
  (value, where) => {
    requireKind(isRecord(value), value, where);
    for (const [member, one] of Object.entries(value)) {
      requireKind(name.test(member) && member.isWellFormed(), member, `${where} with the name`);
      check(one, `${where}.${member}`);
    }
  };

/** Checks an object of these members and no others; those in `optional` may be missing. */
export const objectOf =
  (members: Readonly<Record<string, Check>>, optional: readonly string[] = []): Check =>
  (value, where) => {
    requireKind(isRecord(value), value, where);
    for (const [member, one] of Object.entries(value)) {
      if (!Object.hasOwn(members, member)) throw new NotUnderstood(`${where} with the member ${member}`);
      members[member]?.(one, `${where}.${member}`);
    }
    const missing = Object.keys(members).find(
      (name) => !Object.hasOwn(value, name) && !optional.includes(name),
    );
    if (missing !== undefined) throw new NotUnderstood(`${where} without ${missing}`);
  };

/** A number as DynamoDB responds with it: in any other form it would come back changed. */
const number: Check = (value, where) => {
  text(value, where);
  // Nearly all numbers are like this.
  if (/^[1-9]\d{0,30}$/.test(String(value))) return;
  const isPlain = /^(?:0|-?(?:[1-9]\d*|0\.\d*[1-9]|[1-9]\d*\.\d*[1-9]))$/.test(String(value));
  const digits = String(value).replace(/\D/g, "");
  requireKind(isPlain && digits.length <= 38, value, where);
};

const base64: Check = (value, where) => {
  text(value, where);
  requireKind(Buffer.from(String(value), "base64").toString("base64") === value, value, where);
};

type CheckAt = (value: unknown, where: string, depth: number) => void;

const values: ReadonlyMap<string, CheckAt> = new Map<string, CheckAt>([
  ["S", text],
  ["N", number],
  ["B", base64],
  ["BOOL", boolean],
  ["NULL", oneOf(true)],
  ["L", checkList],
  ["M", checkMap],
]);

/** The levels of an attribute, at most. */
export const mostLevels = 32;

const tooDeep = () =>
  invalid(`Nesting Levels have exceeded supported limits: an attribute has more than ${mostLevels}`);

/** Returns a value that is to be at this level of an attribute. */
export function requireLevels(value: Value, level: number): Value {
  if (level > mostLevels) throw tooDeep();
  const inner = "M" in value ? Object.values(value.M) : "L" in value ? value.L : [];
  for (const one of inner) requireLevels(one, level + 1);
  return value;
}

const mostNameBytes = 65_535;

function checkList(list: unknown, where: string, depth: number): void {
  requireKind(Array.isArray(list), list, where);
  for (const one of list) checkValue(one, where, depth + 1);
}

function checkMap(map: unknown, where: string, depth: number): void {
  requireKind(isRecord(map), map, where);
  for (const name in map) {
    text(name, where);
    requireKind(name !== "" && Buffer.byteLength(name) <= mostNameBytes, name, `${where} with the name`);
    checkValue(map[name], where, depth + 1);
  }
}

function checkValue(value: unknown, where: string, depth: number): void {
  requireKind(isRecord(value), value, where);
  const [type = "", ...others] = Object.keys(value);
  const check = values.get(type);
  if (!check || others.length > 0) throw new NotUnderstood(`${where} of the type ${Object.keys(value)}`);
  if (depth > mostLevels) throw tooDeep();
  check(value[type], where, depth);
}

export const value: Check = (given, where) => checkValue(given, where, 1);

export const item: Check = (given, where) => {
  requireKind(isRecord(given), given, where);
  checkMap(given, where, 0);
};

/** Refuses a key that lacks an attribute or has another one. */
export function requireOnly(item: Item, names: readonly string[]): void {
  const isKey = Object.keys(item).length === names.length && names.every((name) => Object.hasOwn(item, name));
  if (!isKey) throw notOfSchema();
}
