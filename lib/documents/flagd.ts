/**
 * Converts features to flag definitions of flagd (https://flagd.dev/reference/flag-definitions): variants become
 * values; strategies, weights and overrides become the targeting.
 */
import { isDeepStrictEqual } from "node:util";
import type { Targeting } from "../contract/strategies.ts";
import type { Variant } from "../contract/variants.ts";
import { activeStrategies, isOn } from "../features/active-strategies.ts";
import { parseTargeting } from "../features/model.ts";
import { Inexpressible } from "./flagd-conditions.ts";
import { off, on, toTargeting } from "./flagd-targeting.ts";
import type { Format, ServedFeature } from "./format.ts";
import type { DocumentOmissions } from "./omissions.ts";

export const flagd: Format = (features, { environment }, omissions) => {
  const flags = features.flatMap((feature) => {
    const flag = toFlag(feature, omissions);
    return flag ? [[feature.name, flag] as const] : [];
  });
  return {
    $schema: "https://flagd.dev/schema/v0/flags.json",
    metadata: { environment },
    flags: Object.fromEntries(flags),
  };
};

/**
 * Returns undefined if flagd cannot express the feature, or if no user would get a variant: callers then get their own
 * default.
 */
export function toFlag(feature: ServedFeature, omissions: DocumentOmissions) {
  const { name, project, enabled, variants, strategies, dependencies, targeting, ...others } = feature;
  // A new aspect does not compile until it is named here: the flag expresses it, or an omission says that it does not.
  others satisfies Record<string, never>;
  try {
    if (dependencies.length > 0) throw new Inexpressible("flagd has no features that depend on others");
    const flagdLogic = parseTargeting(targeting);
    return {
      state: isOn({ enabled, strategies }) ? "ENABLED" : "DISABLED",
      metadata: { project },
      ...(flagdLogic
        ? withValues(flagdLogic, feature, omissions)
        : toVariantsAndTargeting(feature, omissions)),
    };
  } catch (error) {
    if (!(error instanceof Inexpressible)) throw error;
    omissions.add({ what: "features", why: error.message, which: name });
    return undefined;
  }
}

/** Adds the values to flagd's own logic. */
function withValues(
  { defaultVariant = null, ...logic }: Targeting,
  { name, variants }: ServedFeature,
  omissions: DocumentOmissions,
) {
  const values = logic.variants ?? (variants.length === 0 ? booleans : toValues(name, variants, omissions));
  // flagd would refuse the whole document. An empty name is none.
  if (defaultVariant && !Object.hasOwn(values, defaultVariant))
    throw new Inexpressible("the default variant of its targeting does not exist");
  return { ...logic, defaultVariant, variants: values };
}

function toVariantsAndTargeting(feature: ServedFeature, omissions: DocumentOmissions) {
  const { name, strategies } = feature;
  const strategyVariants = activeStrategies(feature.strategies).flatMap(({ variants }) => variants);
  const all: Variant[] = [...feature.variants, ...strategyVariants];
  const isBoolean = all.length === 0;
  const targeting = toTargeting(feature, { isBoolean }, omissions);
  if (isBoolean) {
    const defaultVariant = strategies.length === 0 ? on : off;
    return { variants: booleans, defaultVariant, ...(targeting && { targeting }) };
  }
  const weighted = all.filter(({ weight }) => weight > 0);
  const [first] = weighted;
  if (!first) throw new Inexpressible("all of its variants have weight 0");
  if (all.some((variant) => unexpressedOf(variant).weightType === "fix")) {
    omissions.add({
      what: "weightType",
      why: "flagd's are all fixed: users get the same shares, nothing to do",
      which: name,
    });
  }
  const heaviest = weighted.reduce((max, variant) => (variant.weight > max.weight ? variant : max), first);
  return {
    variants: toValues(name, all, omissions),
    // Users without the attribute that decides get the heaviest variant, where Unleash's SDKs give them a random one. With
    // strategies these users, and those whom no strategy matches, get the default of the application's code.
    defaultVariant: strategies.length === 0 ? heaviest.name : null,
    targeting,
  };
}

/** The values of a feature that has no variants. */
const booleans = { [on]: true, [off]: false };

/**
 * Returns the members that a flag cannot express. The others become the value or the targeting. A new member of variants
 * does not compile until it is named here.
 */
function unexpressedOf({ name, payload, weight, stickiness, overrides, weightType, ...others }: Variant) {
  others satisfies Record<string, never>;
  return { weightType };
}

type Payload = NonNullable<Variant["payload"]>;

/**
 * flagd requires values of one type. They are the payloads, or the texts of the payloads where these have no exact
 * values of one type. Without any payload the values are the names.
 */
function toValues(feature: string, variants: readonly Variant[], omissions: DocumentOmissions) {
  const byName = new Map(variants.map((variant) => [variant.name, variant]));
  const isSame = ({ name, payload }: Variant) => isDeepStrictEqual(payload, byName.get(name)?.payload);
  if (!variants.every(isSame)) throw new Inexpressible("two variants of one name have different payloads");
  const payloads = variants.flatMap(({ payload }) => payload ?? []);
  if (payloads.length === 0) return Object.fromEntries(variants.map(({ name }) => [name, name]));
  const isPartial = payloads.length < variants.length;
  if (isPartial) omissions.add({ what: "absent payload", why: "exported as an empty value", which: feature });
  const [type, ...others] = new Set(payloads.map((payload) => typeof exactValue(payload)));
  // A variant without a payload gets an empty value, and no number is empty.
  const isTyped = others.length === 0 && type !== "undefined" && !(type === "number" && isPartial);
  if (!isTyped)
    omissions.add({
      what: "payload",
      why: "flagd has no exact values of one type: they are strings",
      which: feature,
    });
  const empty = isTyped && type === "object" ? {} : "";
  const toValue = (payload: Payload) => (isTyped ? exactValue(payload) : payload.value);
  return Object.fromEntries(variants.map(({ name, payload }) => [name, payload ? toValue(payload) : empty]));
}

const jsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/**
 * Returns undefined where flagd has no exact counterpart: for lists, and for numbers with more digits than a double.
 */
function exactValue({ type, value }: Payload): string | number | object | undefined {
  if (type !== "number" && type !== "json") return value;
  if (type === "number" && !jsonNumber.test(value)) return undefined;
  const parsed: number | object = JSON.parse(value);
  return Array.isArray(parsed) || mayBeRounded(value) ? undefined : parsed;
}

/** Whether a double may round a number of the JSON: it keeps 15 digits, and exponents of two digits. */
function mayBeRounded(json: string): boolean {
  return /(?:\d\.?){16}|[eE][+-]?\d{3}/.test(json.replaceAll(/"(?:[^"\\]|\\.)*"/g, ""));
}
