/**
 * What several responses have: a version, the operations of a difference, the users who move, and missing permissions.
 * The functions use the schemas of this folder as types alone, so the bundles do not have them.
 */
import * as z from "zod/mini";

export const versionMember = {
  /** The version of this format: 1. */
  version: z.int(),
};

/**
 * One operation of a JSON Patch of an environment, with variants by name and strategies by id. It applies to the result
 * of the operations before it.
 */
export const differenceOperationSchema = z.object({
  /** The kind of operation. */
  op: z.enum(["add", "remove", "replace"]),
  /** A JSON Pointer (RFC 6901) into the environment, such as `/variants/blue/weight`. */
  path: z.string(),
  /** The new value, for `add` and `replace`; null is a value. */
  value: z.optional(z.unknown()),
  /** The value that `replace` replaces, if it is a text, a number, a Boolean or null. */
  was: z.optional(z.unknown()),
});

const receivedSchema = z.nullable(z.union([z.string(), z.literal(true)]));

/** The users who get one thing before a change, and another after it. */
export const moveSchema = z.object({
  /**
   * What they get before: `null` (not the feature), `true` (the feature without a variant), or the name of a variant.
   * Absent, as `to` is, in the sum of all smaller moves, and where nothing can be computed.
   */
  from: z.exactOptional(receivedSchema),
  /** What they get after, in the same form. */
  to: z.exactOptional(receivedSchema),
  /**
   * Their share of all users, or of those whom `strategy` can match: who meet its constraints, and have the field of its
   * stickiness. Null if it cannot be computed. It has 4 decimals. If the feature has dependencies, it is a share of the
   * users whom the parent features let through.
   */
  share: z.nullable(z.number()),
  /** Whether fewer may move: users who match an override keep its variant, and are not counted. */
  atMost: z.exactOptional(z.literal(true)),
  /**
   * The id of the strategy that decides for them. With it, a `null` in `from` or `to` says that this strategy does not
   * give them the feature; another one may. It is absent if
   * - the share is of all users, for example because there is one strategy, without constraints
   * - nothing can be computed for the feature as a whole: `share` is null then.
   */
  strategy: z.exactOptional(z.string()),
  /** The names of variants whose overrides change. It is not known how many users an override covers. */
  overrides: z.exactOptional(z.array(z.string())),
});

/**
 * The users who get another variant, or get or lose the feature.
 * - Moves whose share cannot be computed come first, then the largest share.
 * - Beyond {@link limits.listedMoves} moves, in all or of a strategy, the smaller ones are one move together.
 * - The list is empty if no user moves: a changed payload, for example, moves none.
 * - The shares follow from rollouts, weights and the order of variants, because SDKs choose by buckets.
 * - Overrides are named, not counted.
 */
export const movesMember = z.exactOptional(z.array(moveSchema));

/** A permission that the API key lacks for the request itself. */
export const missingPermissionSchema = z.object({
  /** The name of the permission. */
  permission: z.string(),
  /** The environment in which it is missing; absent if it is missing in the whole project. */
  environment: z.exactOptional(z.string()),
});

export const missingPermissionsMember = z.exactOptional(z.array(missingPermissionSchema));

export type DifferenceOperation = z.infer<typeof differenceOperationSchema>;
