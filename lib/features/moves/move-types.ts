/** The moves of users from one variant to another, to a feature or away from it. */

/** What a user gets: a variant, the feature without a variant (`true`), or not the feature (`null`). */
export type Received = string | true | null;

/** Moves whose share is not known come first, then the largest. */
export type Moves = readonly (Move | UnknownMove | SmallerMoves)[];

export interface Move {
  from: Received;
  to: Received;
  /** The share of the users, or of those who meet the condition of the strategy (`Rule`). Not rounded. */
  share: number;
  /** Whether fewer users may move. */
  atMost?: true;
  strategy?: string;
}

/** The moves that are not among the largest, together. */
export interface SmallerMoves extends Pick<Move, "share" | "atMost" | "strategy"> {
  from?: never;
  to?: never;
}

/** A move whose share is not known. Perhaps no user moves. */
interface UnknownMove {
  share: null;
  strategy?: string;
  /** The variants whose overrides differ. */
  overrides?: string[];
}
