/** Shapes that only responses have: variants by name, and the preview of a patch. */
import * as z from "zod/mini";
import { namelessVariantSchema, variantNameSchema, variantSchema } from "./variants.ts";

/** Variants keyed by name. */
export const variantsByNameSchema = z.record(variantNameSchema, namelessVariantSchema);

/** The variants of a feature in one environment, keyed by name (`by=name`). */
export const featureVariantsByNameSchema = z.object({
  version: z.int(),
  /** Every variant, without its `name`. */
  variants: variantsByNameSchema,
});

/** One operation of a JSON Patch, which applies to the result of those before it. */
export const variantChangeSchema = z.object({
  op: z.enum(["add", "remove", "replace", "move"]),
  path: z.string(),
  from: z.exactOptional(z.string()),
  value: z.optional(z.unknown()),
});

/** What a patch would do in one environment. */
export const environmentPreviewSchema = z.object({
  /** The name of the environment. */
  environment: z.string(),
  /** `unchanged`: the patch has no effect. `failed`: the patch stops here. */
  outcome: z.enum(["patched", "unchanged", "failed"]),
  /** A JSON Patch from the current variants to those after the patch, weights and order included. */
  changes: z.exactOptional(z.array(variantChangeSchema)),
  /** What the patch sets without effect. Its wording is not part of the contract. */
  hint: z.exactOptional(z.string()),
  /** Why the patch would fail here. Its wording is not part of the contract. */
  message: z.exactOptional(z.string()),
  /** The variants after the patch; where it would fail, the current ones. */
  variants: z.array(variantSchema),
});

/** What a patch by name would do in one environment. */
export const environmentPreviewByNameSchema = z.object({
  ...environmentPreviewSchema.shape,
  /** The variants after the patch; where it would fail, the current ones. */
  variants: variantsByNameSchema,
});

/** The response to a dry run of a patch. */
export const variantsPreviewSchema = z.object({
  version: z.int(),
  /** Those of the first environment. */
  variants: z.array(variantSchema),
  /** Every environment of the request in the project's order, those after the first failure included. */
  environments: z.array(environmentPreviewSchema),
});

/** The response to a dry run of a patch with `by=name`. */
export const variantsPreviewByNameSchema = z.object({
  version: z.int(),
  /** Those of the first environment, without their `name`. */
  variants: variantsByNameSchema,
  environments: z.array(environmentPreviewByNameSchema),
});

export type VariantChange = z.infer<typeof variantChangeSchema>;
export type EnvironmentPreview = z.infer<typeof environmentPreviewSchema>;
