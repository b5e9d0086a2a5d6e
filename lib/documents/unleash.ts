/** Converts features to the document that Unleash's SDKs load from `/api/client/features`. */
import * as z from "zod/mini";
import { validate } from "../contract/validate.ts";
import {
  type Format,
  reportForeign,
  reportGone,
  reportSwitch,
  type ServedFeature,
  stickinessOf,
} from "./format.ts";
import { lacking, type Omissions } from "./left-out.ts";

const forEveryone = [{ name: "default", constraints: [], parameters: {} }];

const oneStickiness = "SDKs use that of the first variant for all";

/** Unleash Edge had null for what is absent. */
const documentSchema = z.looseObject({
  features: z.array(
    z.looseObject({
      name: z.string(),
      enabled: z.boolean(),
      strategies: z.nullish(z.array(z.looseObject({ variants: z.nullish(z.array(z.unknown())) }))),
      variants: z.nullish(z.array(z.looseObject({ name: z.string() }))),
    }),
  ),
  query: z.optional(z.unknown()),
});

const querySchema = z.looseObject({
  environment: z.nullish(z.string()),
  project: z.nullish(z.union([z.string(), z.array(z.string())])),
});

type Feature = z.infer<typeof documentSchema>["features"][number];

export const unleash: Format<z.infer<typeof documentSchema>> = {
  title: "a document of Unleash's client features",
  schema: documentSchema,

  create(features, { environment, project }, omissions) {
    for (const feature of features) stickinessOf(feature, oneStickiness, omissions);
    return {
      version: 2,
      features: features.map(({ name, project, enabled, variants }) => ({
        name,
        type: "release",
        project,
        stale: false,
        impressionData: false,
        enabled,
        strategies: forEveryone,
        variants,
      })),
      query: { environment, ...(project !== undefined && { project: [project] }) },
    };
  },

  into(document, features, omissions) {
    const known = new Set(document.features.map(({ name }) => name));
    for (const { name } of features) {
      if (!known.has(name)) omissions.add("features", lacking, name);
    }
    const exported = new Map(features.map((feature) => [feature.name, feature]));
    const updated = document.features.map((old) => {
      const feature = exported.get(old.name);
      if (!feature) return old;
      reportSwitch(old.enabled, feature, omissions);
      return { ...replaceVariants(old, feature, omissions), enabled: feature.enabled };
    });
    reportForeign(known, features, omissions);
    return { ...document, features: updated };
  },

  featuresOf: ({ features }) => new Map(features.map((feature) => [feature.name, feature])),

  madeFor({ query }) {
    const { environment, project } = validate(querySchema, query).value ?? {};
    const projects = project ? [project].flat() : [];
    // Unleash has "*" for all projects.
    const isLimited = projects.length > 0 && !projects.includes("*");
    return { environment: environment ?? undefined, projects: isLimited ? projects : undefined };
  },

  hidden({ features }) {
    const why = "a strategy of the stored document has variants of its own";
    return new Map(features.filter(hasStrategyVariants).map(({ name }) => [name, why]));
  },
};

function hasStrategyVariants({ strategies }: Feature): boolean {
  return strategies?.some(({ variants }) => variants && variants.length > 0) ?? false;
}

function replaceVariants(old: Feature, feature: ServedFeature, omissions: Omissions): Feature {
  const { name, variants } = feature;
  const live = old.variants ?? [];
  if (variants.length === 0 && live.length > 0) {
    // An import may have left them out.
    omissions.add("variants", "Burgee has none: the file keeps its own", name);
    return old;
  }
  const names = new Set(variants.map((variant) => variant.name));
  reportGone(
    live.map((variant) => variant.name).filter((one) => !names.has(one)),
    feature,
    omissions,
  );
  if (hasStrategyVariants(old)) {
    omissions.add("variants", "the strategies in the file have their own, which win", name);
  } else stickinessOf(feature, oneStickiness, omissions);
  return { ...old, variants: [...variants] };
}
