/** The body that creates a feature. */
import * as z from "zod/mini";
import { nameInPathSchema } from "./names.ts";

const dropped = z.optional(z.unknown());

/** A new feature. The other members that Unleash's clients send are dropped, but `tags` is refused. */
export const createFeatureSchema = z.pipe(
  z.strictObject({
    /** URL-friendly, and unique among the features of all projects. */
    name: nameInPathSchema,
    /** Dropped. */
    archived: dropped,
    /** Dropped. */
    createdAt: dropped,
    /** Dropped. */
    createdBy: dropped,
    /** Dropped. */
    description: dropped,
    /** Dropped. */
    favorite: dropped,
    /** Dropped. */
    impressionData: dropped,
    /** Dropped. */
    lastSeenAt: dropped,
    /** Dropped. */
    project: dropped,
    /** Dropped. */
    stale: dropped,
    /** Dropped. */
    type: dropped,
  }),
  z.transform(({ name }) => ({ name })),
);

export type CreateFeature = z.infer<typeof createFeatureSchema>;
