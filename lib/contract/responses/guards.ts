/** The response to a trip of a guard, and the guard of an environment. */
import * as z from "zod/mini";
import { missingPermissionsMember, movesMember, versionMember } from "./members.ts";

/** The change of one feature that is under the guard. */
export const trippedFeatureSchema = z.object({
  /** The name of the feature. */
  feature: z.string(),
  /** The id of the change; absent if the feature failed before its change was found. */
  change: z.exactOptional(z.string()),
  /**
   * `changed since`: a later change is in effect, and nothing was written. Only a dry run has `would undo` and
   * `failed`.
   */
  outcome: z.enum(["undone", "would undo", "changed since", "failed"]),
  /** The users who get something else. */
  moves: movesMember,
  /** Why it was not undone. Its wording is not part of the contract. */
  message: z.exactOptional(z.string()),
});

/** What a trip did, or would do, with each feature that has a change under the guard. */
export const trippedGuardSchema = z.object({
  ...versionMember,
  /** The features with a change that is under the guard, in order of name. */
  features: z.array(trippedFeatureSchema),
  /** The permission that the API key lacks for the trip itself; in a dry run only, and absent if it lacks none. */
  missingPermissions: missingPermissionsMember,
});

/** The guard that a change is under. */
export const guardSchema = z.object({
  /** The name of the guard. */
  name: z.string(),
  /** The end of the time in which a trip of the guard undoes the change. */
  until: z.string(),
});

export type TrippedFeature = z.infer<typeof trippedFeatureSchema>;
