/** Turns moves as the API shows them into those of its arithmetic, for the words of the page and of the command line. */
import type * as z from "zod/mini";
import type { moveSchema } from "../../../lib/contract/responses/members.ts";
import type { Moves } from "../../../lib/features/moves/move-types.ts";

export function toMoves(shown: readonly z.output<typeof moveSchema>[]): Moves {
  return shown.map(({ from, to, share, ...rest }) => {
    if (share === null) return { share, ...rest };
    return from === undefined || to === undefined ? { share, ...rest } : { from, to, share, ...rest };
  });
}
