/** Converts payloads to the values of a flag's variants, which flagd requires to be of one type. */
import type { Variant } from "../../../lib/contract/variants.ts";
import type { Omissions } from "../unleash/left-out.ts";

type Value = string | number | object;

type Payload = NonNullable<Variant["payload"]>;

/** A number by JSON's grammar. */
const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/;
const wholeNumber = new RegExp(`^${number.source}$`);
/** Strings are matched too, so that digits within them are not taken for numbers. */
const stringsAndNumbers = new RegExp(`"(?:[^"\\\\]|\\\\.)*"|${number.source}`, "g");

/** Without any payload the values are the names. Where the types of payloads differ, every value is a string. */
export function toValues(
  feature: string,
  variants: readonly Variant[],
  omissions: Omissions,
): Record<string, Value> {
  const typed = variants.map(({ payload }) => payload && typedValue(payload, feature, omissions));
  const present = typed.filter((value) => value !== undefined);
  if (present.length === 0) return Object.fromEntries(variants.map(({ name }) => [name, name]));
  const types = new Set(present.map((value) => typeof value));
  const isPartial = present.length < variants.length;
  if (isPartial) omissions.add("absent payload", "exported as an empty value", feature);
  const reason = whyStrings(types, isPartial);
  if (reason !== undefined) omissions.add("payload", `${reason}: all values are strings`, feature);
  const empty = types.has("object") ? {} : "";
  return Object.fromEntries(
    variants.map(({ name, payload }, index) => [
      name,
      reason === undefined ? (typed[index] ?? empty) : (payload?.value ?? ""),
    ]),
  );
}

function whyStrings(types: ReadonlySet<string>, isPartial: boolean): string | undefined {
  if (types.size > 1) return "they differ in type";
  return isPartial && types.has("number") ? "a number cannot be empty" : undefined;
}

/** Falls back to the stored text where flagd has no exact counterpart. */
function typedValue({ type, value }: Payload, feature: string, omissions: Omissions): Value {
  const text = (why: string) => {
    omissions.add("payload", `${why}: the value is its text`, feature);
    return value;
  };
  if (type === "number") {
    if (!wholeNumber.test(value)) return text("not a JSON number");
    return isExact(value) ? Number(value) : text("a number with more digits than flagd keeps");
  }
  if (type !== "json") return value;
  const parsed: object = JSON.parse(value);
  if (Array.isArray(parsed)) return text("flagd has objects, but no lists");
  const tokens = value.match(stringsAndNumbers) ?? [];
  if (tokens.every((token) => token.startsWith('"') || isExact(token))) return parsed;
  return text("a number with more digits than flagd keeps");
}

/** Whether a number survives the conversion to a double. */
function isExact(token: string): boolean {
  const value = Number(token);
  return Number.isFinite(value) && digitsOf(String(value)) === digitsOf(token);
}

/** The significant digits: a finite double differs from the number it was parsed from only in these. */
function digitsOf(number: string): string {
  const [mantissa = ""] = number.toLowerCase().split("e");
  return mantissa.replaceAll(/[-.]/g, "").replaceAll(/^0+|0+$/g, "");
}
