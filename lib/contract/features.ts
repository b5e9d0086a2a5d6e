/** The body that creates a feature. */
import * as z from "zod/mini";
import { urlFriendlyNameSchema } from "./names.ts";
import { droppedMember } from "./shared-schemas.ts";

/** A new feature. The other members that Unleash's clients send are dropped, but `tags` is refused. */
export const createFeatureSchema = z.pipe(
  z.strictObject({
    /** URL-friendly, and unique among the features of all projects. */
    name: urlFriendlyNameSchema,
    /** Dropped. */
    archived: droppedMember,
    /** Dropped. */
    createdAt: droppedMember,
    /** Dropped. */
    createdBy: droppedMember,
    /** Dropped. */
    description: droppedMember,
    /** Dropped. */
    favorite: droppedMember,
    /** Dropped. */
    impressionData: droppedMember,
    /** Dropped. */
    lastSeenAt: droppedMember,
    /** Dropped. */
    project: droppedMember,
    /** Dropped. */
    stale: droppedMember,
    /** Dropped. */
    type: droppedMember,
  }),
  z.transform(({ name }) => ({ name })),
);

export type CreateFeature = z.infer<typeof createFeatureSchema>;
