/** Which users a change gives something else. */
import * as z from "zod/mini";

/** Null: not the feature. True: the feature without a variant. Else the name of a variant. */
const gotSchema = z.nullable(z.union([z.string(), z.literal(true)]));

/** The users who get one thing before a change, and another after it. */
export const moveSchema = z.object({
  /** What they get before: null: not the feature; true: it, without a variant; else a variant's name. */
  from: z.exactOptional(gotSchema),
  /** What they get after: null: not the feature; true: it, without a variant; else a variant's name. */
  to: z.exactOptional(gotSchema),
  /** Of all users, or of those who meet the constraints of the strategy, with 4 decimals. Null: it cannot be computed. */
  share: z.nullable(z.number()),
  /** The id of the strategy that they get it from, where there are several or one has constraints. */
  strategy: z.exactOptional(z.string()),
  /** Names of variants whose overrides change: how many users have them is not known. */
  overrides: z.exactOptional(z.array(z.string())),
});

/**
 * Largest first, after what cannot be computed; empty if all users get what they had. Follows from rollouts, weights and
 * their order, as SDKs choose by buckets. Overrides are named, not counted.
 */
export const movesMember = z.exactOptional(z.array(moveSchema));
