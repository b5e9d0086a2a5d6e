/** Says which users a draft moves, and which a change has moved. The API computes the shares, and rounds them. */
import type { Received } from "../../../../lib/features/moves/move-types.ts";
import { formatPercent, isUpperBound, movedShare } from "../../../../lib/features/moves/moved-share.ts";
import { toMoves } from "../../words/to-moves.ts";
import type { ShownMove } from "../requests/shown.ts";
import { listOf } from "./format.ts";

/** "15 % of users in production get something else:", "10 % from green to red, 5 % from blue to green." */
export function moversInWords(moves: readonly ShownMove[], where: string): [string, string] {
  const known = moves.filter(({ share }) => share !== null);
  if (known.length < moves.length) {
    const names = moves.flatMap(({ overrides = [] }) => overrides);
    if (names.length === 0) return [`How many users in ${where} get something else cannot be computed.`, ""];
    const [bold, rest] = known.length > 0 ? moversInWords(known, where) : ["", ""];
    return [bold, `${rest} Users with an override of ${listOf(names)} may move too.`.trim()];
  }
  const [losing, gaining] = [
    moves.filter(({ to }) => to === null),
    moves.filter(({ from }) => from === null),
  ];
  const bound = moves.some(({ atMost }) => atMost) ? "Up to " : "";
  const users = `${bound}${formatPercent(shareOf(moves))} of users in ${where}`;
  const isPlain = moves.every(({ from, to }) => from === null || to === null);
  if (losing.length === moves.length) return [`${users} lose the flag.`, ""];
  const rest = `${moves.map(phraseOf).join(", ")}.`;
  if (gaining.length === moves.length)
    return moves.length === 1 ? [`${users} get the flag.`, ""] : [`${users} get the flag:`, rest];
  return [`${users} ${isPlain ? "are concerned" : "get something else"}:`, rest];
}

/** "15 % of users got something else", of the environment in which most users moved; or "". */
export function movedInWords(byEnvironment: readonly (readonly ShownMove[])[]): string {
  const [most = []] = [...byEnvironment].sort((one, other) => shareOf(other) - shareOf(one));
  if (shareOf(most) === 0) return "";
  const isLost = most.every(({ to }) => to === null);
  const isGot = most.every(({ from }) => from === null);
  const bound = isUpperBound(toMoves(most)) ? "up to " : "";
  return `${bound}${formatPercent(shareOf(most))} of users ${isLost ? "lost the flag" : isGot ? "got the flag" : "got something else"}`;
}

/** Sums the shares that are known. */
function shareOf(moves: readonly ShownMove[]): number {
  return movedShare(toMoves(moves.filter(({ share }) => share !== null))) ?? 0;
}

const receivedInWords = (received: Received | undefined) =>
  received === true ? "no variant" : (received ?? "nothing");

function phraseOf({ from, to, share }: ShownMove): string {
  const part = formatPercent(share ?? 0);
  if (from === undefined || to === undefined) return `${part} otherwise`;
  if (to === null) return `${part} lose ${from === true ? "it" : receivedInWords(from)}`;
  if (from === null) return `${part} get ${to === true ? "it" : receivedInWords(to)}`;
  return `${part} from ${receivedInWords(from)} to ${receivedInWords(to)}`;
}
