/** A tag, and the update of a feature's tags. */
import * as z from "zod/mini";
import { limits } from "./limits.ts";
import { droppedMember, listOfAtMost, textOfLength } from "./shared-schemas.ts";

const label = textOfLength(2, 50);

/** A tag of a feature. */
export const tagSchema = z.strictObject({
  /** The value, measured in Unicode code points. */
  value: label,
  /** The kind of tag, such as `simple`. Any kind is accepted. */
  type: label,
});

/** A tag as a client sends it. */
export const sentTagSchema = z.pipe(
  z.strictObject({
    ...tagSchema.shape,
    /** Dropped. It is accepted because newer versions of Unleash list it, and scripts send back what they have read. */
    color: droppedMember,
  }),
  z.transform(({ value, type }) => ({ value, type })),
);

const tagList = listOfAtMost(sentTagSchema, limits.tagsPerList, "tags");

/** Tags to add and tags to remove. Both lists are required; either may be empty. */
export const updateTagsSchema = z.strictObject({
  /** The tags to add first. A tag that the feature already has stays as it is. */
  addedTags: tagList,
  /** The tags to remove afterwards: a tag in both lists is removed. A tag that the feature does not have is ignored. */
  removedTags: tagList,
});

export type Tag = z.infer<typeof tagSchema>;
export type UpdateTags = z.infer<typeof updateTagsSchema>;
