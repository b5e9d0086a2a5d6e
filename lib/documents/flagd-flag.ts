/** Makes the flag of flagd from a feature: its variants become values, their weights and overrides the targeting. */
import type { Variant } from "../contract/variants.ts";
import { toTargeting } from "./flagd-targeting.ts";
import type { ServedFeature } from "./format.ts";
import type { Omissions } from "./left-out.ts";

export const disabled = "DISABLED";

export function flagStateOf({ enabled }: ServedFeature): string {
  return enabled ? "ENABLED" : disabled;
}

/** Undefined if no variant has weight: flagd's callers then get their own default. */
export function toFlag(feature: ServedFeature, omissions: Omissions) {
  const { name, project, variants } = feature;
  const spread = variants.filter(({ weight }) => weight > 0);
  const [first] = spread;
  if (!first) {
    const why = variants.length === 0 ? "without variants" : "all of its variants have weight 0";
    omissions.add("features", why, name);
    return undefined;
  }
  if (variants.some(isFixed)) {
    omissions.add("weightType", "flagd's are all fixed: users get the same shares, nothing to do", name);
  }
  const heaviest = spread.reduce((most, one) => (one.weight > most.weight ? one : most), first);
  return {
    state: flagStateOf(feature),
    variants: toValues(name, variants, omissions),
    // For users without the attribute that decides: Unleash's SDKs give them a random variant.
    defaultVariant: heaviest.name,
    targeting: toTargeting(feature, omissions),
    metadata: { project },
  };
}

/** Takes a variant apart: its name and payload become a value, its weight, stickiness and overrides the targeting. */
function isFixed({ name, payload, weight, stickiness, overrides, weightType, ...rest }: Variant): boolean {
  rest satisfies Record<string, never>;
  return weightType === "fix";
}

type Payload = NonNullable<Variant["payload"]>;

/**
 * flagd requires values of one type: the payloads, or their texts where flagd has no exact values of one type for them.
 * Without any payload the values are the names.
 */
function toValues(feature: string, variants: readonly Variant[], omissions: Omissions) {
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

/** Undefined where flagd has no exact counterpart: for lists, and for numbers with more digits than a double. */
function exactValue({ type, value }: Payload): string | number | object | undefined {
  if (type !== "number" && type !== "json") return value;
  if (type === "number" && !jsonNumber.test(value)) return undefined;
  const parsed: number | object = JSON.parse(value);
  return Array.isArray(parsed) || mayBeRounded(value) ? undefined : parsed;
}

function mayBeRounded(json: string): boolean {
  return /(?:\d\.?){16}|[eE][+-]?\d{3}/.test(json.replaceAll(/"(?:[^"\\]|\\.)*"/g, ""));
}
