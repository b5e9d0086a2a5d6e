/** Converts features to flag definitions of flagd: https://flagd.dev/reference/flag-definitions */
import * as z from "zod/mini";
import { validate } from "../contract/validate.ts";
import { exactTypeOf } from "./exact-json.ts";
import { disabled, flagStateOf, toFlag } from "./flagd-flag.ts";
import { mayHavePlace, replaceTargeting, valuesIn } from "./flagd-targeting.ts";
import { type Format, reportForeign, reportGone, reportSwitch } from "./format.ts";
import { lacking } from "./left-out.ts";

const flagSchema = z.looseObject({
  state: z.optional(z.unknown()),
  variants: z.record(z.string(), z.unknown()),
  targeting: z.optional(z.unknown()),
});

export type Flag = z.infer<typeof flagSchema>;

const documentSchema = z.looseObject({
  flags: z.record(z.string(), flagSchema),
  metadata: z.optional(z.unknown()),
});

export type FlagdDocument = z.infer<typeof documentSchema>;

const metadataSchema = z.looseObject({ environment: z.optional(z.string()) });

export const flagd: Format<FlagdDocument> = {
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
    const shared = new Set(valuesIn(document.$evaluators));
    for (const feature of features) {
      const given = flags.get(feature.name);
      if (!given) {
        omissions.add("features", lacking, feature.name);
        continue;
      }
      reportSwitch(given.state !== disabled, feature, omissions);
      const old: Flag = { ...given, state: flagStateOf(feature) };
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
