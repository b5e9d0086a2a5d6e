/** Converts payloads to the values of a flag's variants, which flagd requires to be of one type. */
import type { Variant } from "../../../lib/contract/variants.ts";
import type { Omissions } from "../unleash/left-out.ts";

type Value = string | number | object;

type Payload = NonNullable<Variant["payload"]>;

const jsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

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
  if (type !== "number" && type !== "json") return value;
  if (type === "number" && !jsonNumber.test(value)) return text("not a JSON number");
  const parsed: number | object = JSON.parse(value);
  if (Array.isArray(parsed)) return text("flagd has objects, but no lists");
  return mayBeRounded(value) ? text("a number with more digits than flagd keeps") : parsed;
}

/** Whether a number outside of strings has more digits, or a larger exponent, than a double is sure to keep. */
function mayBeRounded(json: string): boolean {
  return /(?:\d\.?){16}|[eE][+-]?\d{3}/.test(json.replaceAll(/"(?:[^"\\]|\\.)*"/g, ""));
}
