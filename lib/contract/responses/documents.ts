/** The documents that SDKs load. */
import * as z from "zod/mini";

/** The document that Unleash's SDKs load. */
export const clientFeaturesSchema = z.looseObject({
  /** The version of Unleash's format: 2. */
  version: z.optional(z.number()),
  /** The features of the project, as they are in the environment, without those that only flagd's targeting decides. */
  features: z.array(
    z.looseObject({
      name: z.string(),
      enabled: z.boolean(),
      variants: z.optional(z.nullable(z.array(z.looseObject({ name: z.string() })))),
    }),
  ),
  /** The project and the environment of the document. */
  query: z.optional(z.unknown()),
});

/** The document that flagd loads, and passes to OpenFeature's in-process providers. */
export const flagdDocumentSchema = z.looseObject({
  /** The flags by name, in the form of https://flagd.dev/schema/v0/flags.json. */
  flags: z.record(z.string(), z.looseObject({ variants: z.record(z.string(), z.unknown()) })),
  $schema: z.optional(z.string()),
  /** Metadata of the whole document. */
  metadata: z.optional(z.unknown()),
});
