/** Converts features to flag definitions of flagd: https://flagd.dev/reference/flag-definitions */
import * as z from "zod/mini";
import type { Omissions } from "../unleash/left-out.ts";
import { type Rule, replaceTargeting, toTargeting } from "./flagd-targeting.ts";
import { toValues } from "./flagd-values.ts";
import { type Exported, type Format, readInto } from "./format.ts";

const flagSchema = z.looseObject({
  variants: z.record(z.string(), z.unknown()),
  targeting: z.optional(z.custom<Rule>()),
});

const documentSchema = z.looseObject({ flags: z.record(z.string(), flagSchema) });

export const flagd: Format = {
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

  async into(file, features, omissions) {
    const document = await readInto(file, documentSchema, "a document of flagd's flags");
    const flags = new Map(Object.entries(document.flags));
    for (const feature of features) {
      const old = flags.get(feature.name);
      if (!old) omissions.add("features", "the file lacks them", feature.name);
      const flag = old && toFlag(feature, omissions);
      if (!flag) continue;
      const targeting = replaceTargeting(old.targeting, feature, flag.targeting);
      // The names of the file's own variants, such as one for users outside of a rollout, stay.
      const variants = { ...old.variants, ...flag.variants };
      if (targeting !== undefined) flags.set(feature.name, { ...old, variants, targeting });
      else omissions.add("variants", "the flag's targeting has no place for them", feature.name);
    }
    return { ...document, flags: Object.fromEntries(flags) };
  },
};

/** Undefined where flagd's caller gets its own default. */
function toFlag(feature: Exported, omissions: Omissions) {
  const { name, project, variants } = feature;
  const spread = variants.filter(({ weight }) => weight > 0);
  const [first] = spread;
  if (!first) {
    const why = variants.length === 0 ? "without variants" : "all of its variants have weight 0";
    omissions.add("features", why, name);
    return undefined;
  }
  if (variants.some(({ weightType }) => weightType === "fix")) {
    omissions.add("weightType", "the weight is fixed", name);
  }
  const heaviest = spread.reduce((most, one) => (one.weight > most.weight ? one : most), first);
  return {
    state: "ENABLED",
    variants: toValues(name, variants, omissions),
    // For users without the attribute that decides the bucket, whom Unleash's SDKs would give a random variant.
    defaultVariant: heaviest.name,
    targeting: toTargeting(feature, omissions),
    metadata: { project },
  };
}
