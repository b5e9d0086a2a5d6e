/** Tags of a feature: what a caller sends to change them, and the list that comes back. */
import * as z from "zod/mini";
import { text } from "./fields.ts";
import { limits } from "./limits.ts";
import { shortList } from "./list.ts";

const label = text(2, 50);

export const tagSchema = z.strictObject({ value: label, type: label });

/** Newer Unleash versions list tags with a `color`; scripts send back what they were given. */
export const incomingTagSchema = z.pipe(
  z.strictObject({ ...tagSchema.shape, color: z.optional(z.unknown()) }),
  z.transform(({ value, type }) => ({ value, type })),
);

const tagList = shortList(incomingTagSchema, limits.tagsPerList, "tags");

export const updateTagsSchema = z.strictObject({ addedTags: tagList, removedTags: tagList });

export const tagsSchema = z.object({ version: z.int(), tags: z.array(tagSchema) });

export type Tag = z.infer<typeof tagSchema>;
export type UpdateTags = z.infer<typeof updateTagsSchema>;
export type Tags = z.infer<typeof tagsSchema>;
