/** The request bodies that several routes have. */
import * as z from "zod/mini";
import { patchesSchema } from "../../lib/contract/patch.ts";

export const noBody = {
  accepts: ["application/json"],
  schema: z.strictObject({}),
  isOptional: true,
} as const;

export const patchBody = {
  accepts: ["application/json", "application/json-patch+json"],
  schema: patchesSchema,
} as const;
