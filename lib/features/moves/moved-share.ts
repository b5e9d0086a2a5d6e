/** Moves of users: sums, rounds and describes their shares, and compares them with the limit of a request. */
import type { Moves, Received } from "./move-types.ts";

/** Returns an upper bound of the share of the environment's users who move; null if it cannot be computed. */
export function movedShare(moves: Moves): number | null {
  let sum = 0;
  for (const { share } of moves) {
    if (share === null) return null;
    sum += share;
  }
  return Math.min(1, round(sum, 9));
}

/** Returns why the moves exceed the limit, or may exceed it; otherwise undefined. */
export function movesIssue(moves: Moves, limit: number): string | undefined {
  const share = movedShare(moves);
  if (share !== null && share <= limit) return undefined;
  const described = describeMoves(moves);
  if (share === null)
    return `How many users get something else cannot be computed, which Burgee-Most-Moves requires: ${described}`;
  const users = `${isUpperBound(moves) ? "Up to " : ""}${formatPercent(share)} of the users`;
  const allowed = `${formatPercent(limit)} that Burgee-Most-Moves allows`;
  return `${users} would get something else, more than the ${allowed}: ${described}`;
}

/** Whether the share is an upper bound only: the shares of strategies are of the users who meet their conditions. */
export function isUpperBound(moves: Moves): boolean {
  return moves.some((move) => move.strategy !== undefined || "atMost" in move);
}

const decimals = 4;
const smallestShare = 0.0001;

/**
 * Rounds to 4 decimals, so that the shares add up to their rounded sum: 0.33333 three times gives 0.3333, 0.3334 and
 * 0.3333. A share that would become 0 is 0.0001, because a move always has users.
 */
export function roundMoves(moves: Moves): Moves[number][] {
  let exactSum = 0;
  let sum = 0;
  return moves.map((move) => {
    if (move.share === null) return move;
    exactSum += move.share;
    const share = Math.max(smallestShare, round(exactSum - sum, decimals));
    sum += share;
    return { ...move, share };
  });
}

export function roundShare(share: number): number {
  return share > 0 ? Math.max(smallestShare, round(share, decimals)) : 0;
}

/** Describes the first 10 moves for people: "10 % from green to red, 5 % from blue to green". */
export function describeMoves(moves: Moves): string {
  const described = moves.slice(0, 10).map(describeMove).join(", ");
  return moves.length > 10 ? `${described}, ...` : described;
}

function describeMove(move: Moves[number]): string {
  const { strategy } = move;
  const where = strategy === undefined ? "" : ` of strategy "${strategy}"`;
  if (move.share !== null) {
    const what =
      move.from === undefined
        ? "otherwise"
        : `from ${describeReceived(move.from)} to ${describeReceived(move.to)}`;
    return `${formatPercent(move.share)}${where} ${what}`;
  }
  const { overrides } = move;
  return `unknown${where}${overrides ? ` by the overrides of ${overrides.join(" and ")}` : ""}`;
}

function describeReceived(received: Received): string {
  if (received === null) return "off";
  return received === true ? "on without a variant" : received;
}

export function formatPercent(share: number): string {
  return `${round(roundShare(share) * 100, 2)} %`;
}

function round(value: number, digits: number): number {
  return Math.round(value * 10 ** digits) / 10 ** digits;
}

/** Returns undefined if there is none, and null if one cannot be computed. */
export function largestShare(shares: Iterable<number | null>): number | null | undefined {
  let most: number | undefined;
  for (const share of shares) {
    if (share === null) return null;
    most = Math.max(most ?? 0, share);
  }
  return most;
}
