/** The list of a feature's changes. */
import * as z from "zod/mini";
import { differenceOperationSchema } from "./responses.ts";

/** What a change did in one environment. */
export const changeInEnvironmentSchema = z.object({
  environment: z.string(),
  /** A JSON Patch by name from the variants before the change to those after it. */
  changes: z.array(differenceOperationSchema),
  /** Whether the feature was on after the change, where the change switched it. */
  enabled: z.exactOptional(z.boolean()),
  /** A change of strategies or targeting: a JSON Patch of the environment that makes all of the change again. */
  patch: z.exactOptional(z.array(differenceOperationSchema)),
  /** Whether a request at this path can undo the change here: it is the newest in effect in each environment of the path. */
  canUndo: z.boolean(),
  /** The id of the change that has undone it here. */
  undoneBy: z.exactOptional(z.string()),
});

/** What one request did: a patch, a switch, an undo or a command of an operator. */
export const featureChangeSchema = z.object({
  /** The id to undo, as in the header `burgee-change`. */
  id: z.string(),
  /** The name of the API key, or of the operator. */
  by: z.string(),
  /** The time at which its request began. */
  at: z.string(),
  /** Why, in the words of the caller: `Burgee-Reason`. */
  reason: z.exactOptional(z.string()),
  /** The id of the change that it undoes. */
  undoes: z.exactOptional(z.string()),
  /** The environments that have the change among their newest, in the project's order. */
  environments: z.array(changeInEnvironmentSchema),
});

/** The last changes of a feature's variants. */
export const changesSchema = z.object({
  version: z.int(),
  /**
   * The newest {@link limits.listedChanges} of each environment, of the last {@link limits.changeDays} days or more, as
   * far as they fit in a response. In one environment in the order of its writes, newest first; over all environments by
   * `at`.
   */
  changes: z.array(featureChangeSchema),
  /** Present if older changes are kept, which can be undone once those after them are. */
  more: z.exactOptional(z.boolean()),
});

export type ChangeInEnvironment = z.infer<typeof changeInEnvironmentSchema>;
export type ListedChange = z.infer<typeof featureChangeSchema>;
