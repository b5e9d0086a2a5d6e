/** The changes of a feature's variants, and the request that undoes one. */
import * as z from "zod/mini";
import { variantChangeSchema } from "./preview.ts";

/** What a change did in one environment. */
export const changeInEnvironmentSchema = z.object({
  /** The name of the environment. */
  environment: z.string(),
  /** A JSON Patch from the variants before the change to those after it; absent where it is not known any more. */
  changes: z.exactOptional(z.array(variantChangeSchema)),
  /** Whether the change can be undone here: it is the newest in effect, or the newest of all. */
  canUndo: z.boolean(),
});

/** What one request did: a patch, an undo or a command of an operator. */
export const featureChangeSchema = z.object({
  /** The id to undo, as in the header `burgee-change`. */
  id: z.string(),
  /** The name of the API key, or of the operator. */
  by: z.string(),
  /** The time of its first write. */
  at: z.string(),
  /** The id of the change that it undoes. */
  undoes: z.exactOptional(z.string()),
  /** The environments that keep the change, in the project's order. */
  environments: z.array(changeInEnvironmentSchema),
});

/** The last changes of a feature's variants. */
export const changesSchema = z.object({
  version: z.int(),
  /** Newest first. Each environment keeps its newest change, and older ones while all of them fit in 1 KiB. */
  changes: z.array(featureChangeSchema),
});

/** An undo needs no body; an empty object is accepted. */
export const undoSchema = z.strictObject({});

export type ChangeInEnvironment = z.infer<typeof changeInEnvironmentSchema>;
export type FeatureChange = z.infer<typeof featureChangeSchema>;
