/** The request bodies that several routes have. */
import * as z from "zod/mini";
import { jsonPatchSchema } from "../../lib/contract/patch.ts";

export const noBody = {
  accepts: ["application/json"],
  schema: z.strictObject({}),
  isOptional: true,
} as const;

export const patchBody = {
  accepts: ["application/json", "application/json-patch+json"],
  schema: jsonPatchSchema,
} as const;
