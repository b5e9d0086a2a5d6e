/** Says in a sentence which users of an environment get something else by a change. */
import type { Moves } from "../../../../lib/features/moves/move-types.ts";
import {
  describeMoves,
  formatPercent,
  isUpperBound,
  movedShare,
} from "../../../../lib/features/moves/moved-share.ts";
import { printable } from "../../../cli/printable.ts";
import { toMoves } from "../../words/to-moves.ts";

/** `15 % of users in production get something else: 10 % from green to red, 5 % from blue to green`. */
export function movesSentence(environment: string, shown: Parameters<typeof toMoves>[0]): string {
  return printable(movesInWords(`users in ${environment}`, toMoves(shown)));
}

function movesInWords(users: string, moves: Moves): string {
  if (moves.length === 0) return `all ${users} keep what they have`;
  const share = movedShare(moves);
  if (share === null)
    return `how many ${users} get something else cannot be computed: ${describeMoves(moves)}`;
  const those = `${isUpperBound(moves) ? "at most " : ""}${formatPercent(share)} of ${users}`;
  const isLost = moves.every((move) => "to" in move && move.to === null);
  const isGained = moves.every((move) => "from" in move && move.from === null);
  if (isLost || isGained) return `${those} ${isLost ? "lose" : "get"} the feature`;
  return `${those} get something else: ${describeMoves(moves)}`;
}
