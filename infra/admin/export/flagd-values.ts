/** Converts payloads to the values of a flag's variants, which flagd requires to be of one type. */
import type { Variant } from "../../../lib/contract/variants.ts";
import type { Omissions } from "../unleash/left-out.ts";

type Payload = NonNullable<Variant["payload"]>;

/** Without any payload the values are the names. Where flagd has no exact values of one type, they are strings. */
export function toValues(feature: string, variants: readonly Variant[], omissions: Omissions) {
  const payloads = variants.flatMap(({ payload }) => payload ?? []);
  if (payloads.length === 0) return Object.fromEntries(variants.map(({ name }) => [name, name]));
  const isPartial = payloads.length < variants.length;
  if (isPartial) omissions.add("absent payload", "exported as an empty value", feature);
  const [type, ...others] = new Set(payloads.map((payload) => typeof exactValue(payload)));
  // A number cannot be empty.
  const isTyped = others.length === 0 && type !== "undefined" && !(type === "number" && isPartial);
  if (!isTyped) omissions.add("payload", "flagd has no exact values of one type: they are strings", feature);
  const empty = isTyped && type === "object" ? {} : "";
  const toValue = (payload: Payload) => (isTyped ? exactValue(payload) : payload.value);
  return Object.fromEntries(variants.map(({ name, payload }) => [name, payload ? toValue(payload) : empty]));
}

const jsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** Undefined where flagd has no exact counterpart: of lists, and of numbers with more digits than a double. */
function exactValue({ type, value }: Payload): string | number | object | undefined {
  if (type !== "number" && type !== "json") return value;
  if (type === "number" && !jsonNumber.test(value)) return undefined;
  const parsed: number | object = JSON.parse(value);
  return Array.isArray(parsed) || mayBeRounded(value) ? undefined : parsed;
}

/** Whether a number outside of strings has more digits, or a larger exponent, than a double is sure to keep. */
function mayBeRounded(json: string): boolean {
  return /(?:\d\.?){16}|[eE][+-]?\d{3}/.test(json.replaceAll(/"(?:[^"\\]|\\.)*"/g, ""));
}
