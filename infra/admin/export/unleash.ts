/** Converts features to the document that Unleash's SDKs load from `/api/client/features`. */
import * as z from "zod/mini";
import { type Format, readInto, stickinessOf } from "./format.ts";

/** Burgee keeps neither state nor strategies, so each feature is on for everyone: the variants decide. */
const always = { enabled: true, strategies: [{ name: "default", constraints: [], parameters: {} }] };

const oneStickiness = "SDKs use that of the first variant for all";

const documentSchema = z.looseObject({
  features: z.array(
    z.looseObject({
      name: z.string(),
      strategies: z.optional(z.array(z.looseObject({ variants: z.optional(z.array(z.unknown())) }))),
    }),
  ),
});

export const unleash: Format = {
  create(features, { environment, project }, omissions) {
    for (const feature of features) stickinessOf(feature, oneStickiness, omissions);
    return {
      version: 2,
      features: features.map(({ name, project, variants }) => ({
        name,
        type: "release",
        project,
        stale: false,
        impressionData: false,
        ...always,
        variants,
      })),
      query: { environment, ...(project !== undefined && { project: [project] }) },
    };
  },

  async into(file, features, omissions) {
    const document = await readInto(file, documentSchema, "a document of Unleash's client features");
    const known = new Map(document.features.map((one) => [one.name, one]));
    const variantsOf = new Map(features.map(({ name, variants }) => [name, variants]));
    for (const feature of features) {
      const { strategies = [] } = known.get(feature.name) ?? {};
      if (!known.has(feature.name)) omissions.add("features", "the file lacks them", feature.name);
      else if (strategies.some(({ variants = [] }) => variants.length > 0)) {
        omissions.add("variants", "the strategies in the file have their own, which win", feature.name);
      } else stickinessOf(feature, oneStickiness, omissions);
    }
    const updated = document.features.map((one) => {
      const variants = variantsOf.get(one.name);
      return variants ? { ...one, variants } : one;
    });
    return { ...document, features: updated };
  },
};
