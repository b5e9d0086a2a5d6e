/** Shapes that only responses have: variants by name, and the preview of a patch. */
import * as z from "zod/mini";
import {
  featureVariantsSchema,
  namelessVariantSchema,
  variantNameSchema,
  variantSchema,
} from "./variants.ts";

/** The variants of an environment as an object keyed by name (`by=name`). */
export const variantsByNameSchema = z.record(variantNameSchema, namelessVariantSchema);
export const featureVariantsByNameSchema = z.object({ version: z.int(), variants: variantsByNameSchema });

/** A JSON Patch from the current variants to the previewed ones; an index is into the list at that operation. */
const changeSchema = z.object({
  op: z.enum(["add", "remove", "replace", "move"]),
  path: z.string(),
  from: z.exactOptional(z.string()),
  value: z.optional(z.unknown()),
});

const common = {
  environment: z.string(),
  outcome: z.enum(["patched", "unchanged", "failed"]),
  changes: z.exactOptional(z.array(changeSchema)),
  message: z.exactOptional(z.string()),
};

export const variantsPreviewSchema = z.object({
  ...featureVariantsSchema.shape,
  environments: z.array(z.object({ ...common, variants: z.array(variantSchema) })),
});

export const variantsPreviewByNameSchema = z.object({
  ...featureVariantsByNameSchema.shape,
  environments: z.array(z.object({ ...common, variants: variantsByNameSchema })),
});

export type Change = z.infer<typeof changeSchema>;
