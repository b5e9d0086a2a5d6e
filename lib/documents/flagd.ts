/** Converts features to flag definitions of flagd: https://flagd.dev/reference/flag-definitions */
import * as z from "zod/mini";
import { validate } from "../contract/validate.ts";
import type { Variant } from "../contract/variants.ts";
import { exactTypeOf } from "./exact-json.ts";
import { mayHavePlace, replaceTargeting, textsIn, toTargeting } from "./flagd-targeting.ts";
import { type Format, reportForeign, reportGone, reportSwitch, type ServedFeature } from "./format.ts";
import { lacking, type Omissions } from "./left-out.ts";

const flagSchema = z.looseObject({
  state: z.optional(z.unknown()),
  variants: z.record(z.string(), z.unknown()),
  targeting: z.optional(z.unknown()),
});

type Flag = z.infer<typeof flagSchema>;

const documentSchema = z.looseObject({
  flags: z.record(z.string(), flagSchema),
  metadata: z.optional(z.unknown()),
});

const metadataSchema = z.looseObject({ environment: z.optional(z.string()) });

export const flagd: Format<z.infer<typeof documentSchema>> = {
  title: "a document of flagd's flags",
  schema: documentSchema,

  create(features, { environment }, omissions) {
    const flags = features.flatMap((feature) => {
      const flag = toFlag(feature, omissions);
      return flag ? [[feature.name, flag] as const] : [];
    });
    return {
      $schema: "https://flagd.dev/schema/v0/flags.json",
      metadata: { environment },
      flags: Object.fromEntries(flags),
    };
  },

  into(document, features, omissions) {
    const flags = new Map(Object.entries(document.flags));
    const shared = new Set(textsIn(document.$evaluators));
    for (const feature of features) {
      const given = flags.get(feature.name);
      if (!given) {
        omissions.add("features", lacking, feature.name);
        continue;
      }
      reportSwitch(given.state !== disabled, feature, omissions);
      const old: Flag = { ...given, state: stateOf(feature) };
      flags.set(feature.name, old);
      const flag = toFlag(feature, omissions);
      const replaced = replaceTargeting(old.targeting, feature, flag?.targeting ?? {}, shared);
      if (flag && !replaced)
        omissions.add("variants", "the flag's targeting has no place for them", feature.name);
      // Without an earlier export's rule, the flag has no variants of ours.
      if (replaced && !flag)
        omissions.add("variants", "the flag keeps those of an earlier export", feature.name);
      if (!flag || !replaced) continue;
      const { targeting, gone } = replaced;
      // The file's own variants stay, such as one for users outside of a rollout.
      const kept = Object.entries(old.variants).filter(([name]) => !gone.has(name));
      const variants = { ...Object.fromEntries(kept), ...flag.variants };
      const { defaultVariant } = gone.has(old.defaultVariant) ? flag : old;
      // Code asks for a flag by its type.
      const values = [...Object.values(old.variants), ...Object.values(flag.variants)];
      if (new Set(values.map(exactTypeOf)).size > 1) {
        omissions.add("variants", "those of the file have values of another type", feature.name);
        continue;
      }
      reportGone(
        Object.keys(old.variants).filter((one) => gone.has(one)),
        feature,
        omissions,
      );
      flags.set(feature.name, { ...old, variants, defaultVariant, targeting });
    }
    reportForeign(flags.keys(), features, omissions);
    return { ...document, flags: Object.fromEntries(flags) };
  },

  featuresOf: ({ flags }) => new Map(Object.entries(flags)),

  // As `create` has it: flagd itself gives it no meaning.
  madeFor({ metadata }) {
    return { environment: validate(metadataSchema, metadata).value?.environment };
  },

  hidden({ flags }) {
    const all = Object.entries(flags).map(([name, flag]) => [name, hiddenBy(name, flag)] as const);
    return new Map(all.flatMap(([name, why]) => (why === undefined ? [] : [[name, why] as const])));
  },
};

function hiddenBy(name: string, { variants, targeting }: Flag): string | undefined {
  const values = Object.values(variants);
  // Payloads have no booleans.
  if (values.length > 0 && values.every((value) => typeof value === "boolean")) {
    return "the flag of the stored document is Boolean";
  }
  return mayHavePlace(targeting, name)
    ? undefined
    : "the flag's targeting in the stored document has no place for them";
}

const disabled = "DISABLED";

function stateOf({ enabled }: ServedFeature): string {
  return enabled ? "ENABLED" : disabled;
}

/** Undefined if no variant has weight: flagd's callers then get their own default. */
function toFlag(feature: ServedFeature, omissions: Omissions) {
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
    state: stateOf(feature),
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
