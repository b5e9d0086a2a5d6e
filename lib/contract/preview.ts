/** What a dry run of a variant patch answers. */
import * as z from "zod/mini";
import { featureVariantsSchema, variantSchema } from "./variants.ts";

/** From the variants as they are to what they would be; indices are into the list as it is at each operation. */
const changeSchema = z.object({
  op: z.enum(["add", "remove", "replace", "move"]),
  path: z.string(),
  from: z.exactOptional(z.string()),
  value: z.optional(z.unknown()),
});

export const previewSchema = z.object({
  ...featureVariantsSchema.shape,
  environments: z.array(
    z.object({
      environment: z.string(),
      outcome: z.enum(["patched", "unchanged", "failed"]),
      /** As they would be afterwards: where it fails, as they are. */
      variants: z.array(variantSchema),
      changes: z.exactOptional(z.array(changeSchema)),
      message: z.exactOptional(z.string()),
    }),
  ),
});

export type Change = z.infer<typeof changeSchema>;
export type Preview = z.infer<typeof previewSchema>;
export type EnvironmentPreview = Preview["environments"][number];
