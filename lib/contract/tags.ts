/** The tags of a feature, as sent and as returned. */
import * as z from "zod/mini";
import { listOfAtMost, textOfLength } from "./bounded-schemas.ts";
import { limits } from "./limits.ts";
import { missingPermissionsMember } from "./missing-permissions.ts";

const label = textOfLength(2, 50);

/** A tag of a feature. */
export const tagSchema = z.strictObject({
  /** The value, measured in Unicode code points. */
  value: label,
  /** The kind of tag, such as `simple`. Any kind is accepted. */
  type: label,
});

/** A tag as a client sends it. */
export const incomingTagSchema = z.pipe(
  z.strictObject({
    ...tagSchema.shape,
    /** Dropped. It is accepted because newer versions of Unleash list it, and scripts send back what they have read. */
    color: z.optional(z.unknown()),
  }),
  z.transform(({ value, type }) => ({ value, type })),
);

const tagList = listOfAtMost(incomingTagSchema, limits.tagsPerList, "tags");

/** Tags to add and tags to remove. Both lists are required; either may be empty. */
export const updateTagsSchema = z.strictObject({
  /** The tags to add first. A tag that the feature already has stays as it is. */
  addedTags: tagList,
  /** The tags to remove afterwards: a tag in both lists is removed. A tag that the feature does not have is ignored. */
  removedTags: tagList,
});

/** The tags of a feature. */
export const tagsSchema = z.object({
  /** The version of this format: 1. */
  version: z.int(),
  /** All tags of the feature, sorted by type, then by value. */
  tags: z.array(tagSchema),
  /** Only in a dry run: the permissions that the API key lacks for the update itself; absent if it lacks none. */
  missingPermissions: missingPermissionsMember,
});

export type Tag = z.infer<typeof tagSchema>;
export type UpdateTags = z.infer<typeof updateTagsSchema>;
export type Tags = z.infer<typeof tagsSchema>;
