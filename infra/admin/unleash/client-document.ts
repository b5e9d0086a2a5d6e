/** Reads the document that SDKs load as an export: it has the order of the strategies, and the segments. */
import * as z from "zod/mini";

/** The constraints of each segment, by its id. */
export type Segments = ReadonlyMap<string, readonly unknown[]>;

const documentSchema = z.looseObject({
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
  segments: z.nullish(
    z.array(z.looseObject({ id: z.union([z.number(), z.string()]), constraints: z.array(z.unknown()) })),
  ),
  query: z.looseObject({ environment: z.string() }),
});

export function isClientDocument(input: unknown): boolean {
  return documentSchema.safeParse(input).success;
}

/** Strategies have no ids there: they get numbers. */
export function toExport(input: unknown): { exported: object; segments: Segments } {
  const { features, segments, query } = documentSchema.parse(input);
  const { environment } = query;
  const exported = {
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
      .map(({ name: feature }) => ({ feature })),
  };
  const known = (segments ?? []).map(({ id, constraints }) => [String(id), constraints] as const);
  return { exported, segments: new Map(known) };
}
