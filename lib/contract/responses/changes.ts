/** The list of a feature's changes. */
import * as z from "zod/mini";
import { differenceOperationSchema, movesMember, versionMember } from "./members.ts";

/** What a change did in one environment. */
export const changeInEnvironmentSchema = z.object({
  /** The name of the environment. */
  environment: z.string(),
  /** When the write of the change in this environment was planned, shortly before it was stored. */
  writtenAt: z.string(),
  /** A JSON Patch of the environment, from what it had before the change to what it had after it. */
  difference: z.array(differenceOperationSchema),
  /** The users who got something else. */
  moves: movesMember,
  /** Whether it is the newest change in effect in this environment. */
  isTop: z.boolean(),
  /**
   * Whether a request at this path can undo the change here. The change is then the newest in effect here, and at most
   * {@link limits.undoableDays} days old. In each other environment of the path it is the newest in effect too, is
   * undone, or was not made.
   */
  canUndo: z.boolean(),
  /**
   * The end of the time in which a trip of its guard undoes the change here; absent unless it is the newest in effect.
   */
  guardedUntil: z.exactOptional(z.string()),
  /** The id of the change that has undone it here. */
  undoneBy: z.exactOptional(z.string()),
});

/**
 * What one request did to a feature: a patch, a switch, a strategy that it added, replaced or removed, an undo, also one
 * that a trip made, or a command of an operator.
 */
export const featureChangeSchema = z.object({
  /** The id to undo, as in the header `burgee-change`. */
  id: z.string(),
  /** The name of the API key, or of the operator. */
  by: z.string(),
  /** When the attempt began that first wrote it. */
  at: z.string(),
  /** The reason that the caller gave: `Burgee-Reason`. */
  reason: z.exactOptional(z.string()),
  /** The name of the guard under which it was made: `Burgee-Guard`. */
  guard: z.exactOptional(z.string()),
  /** The id of the change that it undoes. */
  undoes: z.exactOptional(z.string()),
  /** The environments that have the change among their newest, in the project's order. */
  environments: z.array(changeInEnvironmentSchema),
});

/** The newest changes of a feature. */
export const changesSchema = z.object({
  ...versionMember,
  /**
   * The newest {@link limits.listedChanges} of each environment, of the last {@link limits.keptDays} days or more, as
   * many as fit in a response, newest first. The changes of one environment are in the order of its writes; those of
   * all environments are sorted by their newest write.
   */
  changes: z.array(featureChangeSchema),
  /** True if older changes are kept, which can be undone once the newer ones are; otherwise absent. */
  more: z.exactOptional(z.boolean()),
});

export type ListedEnvironmentChange = z.infer<typeof changeInEnvironmentSchema>;
export type ListedChange = z.infer<typeof featureChangeSchema>;
