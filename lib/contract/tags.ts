/** Tags of a feature: what a client sends to change them, and the list that is returned. */
import * as z from "zod/mini";
import { limits } from "./limits.ts";
import { shortList, text } from "./zod-extensions.ts";

const label = text(2, 50);

export const tagSchema = z.strictObject({ value: label, type: label });

/** Newer Unleash versions list tags with a `color`; scripts send back what they read. */
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
