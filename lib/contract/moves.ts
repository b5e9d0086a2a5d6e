/** The users whom a change gives another variant, or gives or takes the feature. */
import * as z from "zod/mini";

/** What a user gets: null is not the feature, true is the feature without a variant, a text is the name of a variant. */
const receivedSchema = z.nullable(z.union([z.string(), z.literal(true)]));

/** The users who get one thing before a change, and another after it. */
export const moveSchema = z.object({
  /** What they get before: `null` (not the feature), `true` (the feature without a variant), or the name of a variant. */
  from: z.exactOptional(receivedSchema),
  /** What they get after: `null` (not the feature), `true` (the feature without a variant), or the name of a variant. */
  to: z.exactOptional(receivedSchema),
  /**
   * Their share of all users, or of those who meet the constraints of `strategy`, with 4 decimals. With dependencies, of the
   * users whom the parent features let through. Null if it cannot be computed.
   */
  share: z.nullable(z.number()),
  /**
   * The id of the strategy that decides for them: `null` is then not this one, but another may. Absent if the share is of all users: there is one strategy at most, without
   * constraints, and Burgee can compute its users. Also absent if nothing can be computed for the feature as a whole.
   */
  strategy: z.exactOptional(z.string()),
  /** The names of variants whose overrides change. It is not known how many users an override covers. */
  overrides: z.exactOptional(z.array(z.string())),
});

/**
 * The users who get another variant, or get or lose the feature: those whose share cannot be computed, then the others,
 * largest share first. Empty if there are none: a changed payload moves no user. The shares follow from rollouts, weights and
 * the order of variants, because SDKs choose by buckets. Overrides are named, not counted.
 */
export const movesMember = z.exactOptional(z.array(moveSchema));
