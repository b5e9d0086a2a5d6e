/** Reads the document that SDKs load as an export: it has the switches, the order of the strategies, and the segments. */
import * as z from "zod/mini";
import { segmentsSchema } from "./segments.ts";

const documentSchema = z.extend(segmentsSchema, {
  features: z.array(
    z.looseObject({
      name: z.string(),
      project: z._default(z.string(), "default"),
      enabled: z.boolean(),
      strategies: z.nullish(z.array(z.looseObject({}))),
      variants: z.nullish(z.array(z.unknown())),
      dependencies: z.nullish(z.array(z.unknown())),
    }),
  ),
  query: z.looseObject({ environment: z.string() }),
});

export type ClientDocument = z.infer<typeof documentSchema>;

export function parseClientDocument(input: unknown): ClientDocument | undefined {
  return documentSchema.safeParse(input).data;
}

/** Strategies have no ids there: they get numbers. */
export function toExport({ features, query: { environment } }: ClientDocument): object {
  return {
    features: features.map(({ name, project }) => ({ name, project })),
    featureEnvironments: features.map(({ name: featureName, enabled, variants }) => {
      return { featureName, environment, enabled, variants: variants ?? [] };
    }),
    featureStrategies: features.flatMap(({ name: featureName, strategies }) =>
      (strategies ?? []).map((one, index) => ({
        ...one,
        featureName,
        id: `s${index + 1}`,
        sortOrder: index + 1,
      })),
    ),
    dependencies: features
      .filter(({ dependencies }) => dependencies && dependencies.length > 0)
      .map(({ name: feature, dependencies }) => ({ feature, dependencies })),
  };
}
