/** Draws which users a draft moves: a sentence, and a bar of what users get after it, with the users who move marked. */

import { movedShare } from "../../../../lib/features/moves/moved-share.ts";
import { printable } from "../../../cli/printable.ts";
import { toMoves } from "../../words/to-moves.ts";
import { text } from "../elements/controls.tsx";
import { ownMember } from "../own-member.ts";
import type { ShownEnvironment, ShownMove } from "../requests/shown.ts";
import { percent } from "../words/format.ts";
import { moversInWords } from "../words/movers-in-words.ts";
import { type SharesAfter, sharesAfter } from "./shares-after.ts";

interface MovesProps {
  feature: string;
  environment: string;
  moves: readonly ShownMove[];
  /** The environment after the draft. */
  after: ShownEnvironment | undefined;
  colourOf(name: string): string;
}

export function MovesView({ feature, environment, moves, after, colourOf }: MovesProps) {
  if (moves.length === 0) return <p>{text(`No user in ${environment} gets something else.`)}</p>;
  const strategies = [...new Set(moves.map(({ strategy }) => strategy))];
  return (
    <>
      {strategies.map((strategy) => {
        const own = moves.filter((move) => move.strategy === strategy);
        const title =
          after && strategy !== undefined ? ownMember(after.strategies, strategy)?.title : undefined;
        const name = strategy === undefined ? "" : ` whom the strategy ${title || strategy} can match`;
        const [bold, rest] = moversInWords(own, environment + name);
        const isKnown = own.every(({ share, overrides }) => share !== null || overrides);
        const shares = isKnown && after && sharesAfter(feature, after, strategy);
        return (
          <div key={strategy} class="moving">
            <p>
              <strong>{text(bold)}</strong> {text(rest)}
            </p>
            {shares && movesBar(own, shares, colourOf)}
          </div>
        );
      })}
    </>
  );
}

/** Each part has the users who move there, and those who stay. Users who lose the feature have the colour of what they had. */
function movesBar(moves: readonly ShownMove[], shares: SharesAfter, colourOf: (name: string) => string) {
  const parts = shares.flatMap(([received, share]) => {
    const arriving = moves.filter(({ to }) => to === received);
    const name = received === null ? "do not get it" : received === true ? "keep it" : received;
    const staying = Math.max(0, share - (movedShare(toMoves(arriving)) ?? 0));
    const moved = arriving.map((move) => ({
      received: received ?? move.from ?? null,
      share: move.share ?? 0,
      label: received === null ? "lose it" : received === true ? "newly get it" : `to ${name}`,
      kind: "moved ",
    }));
    const stays = {
      received,
      share: staying,
      label: typeof received === "string" ? `stay ${name}` : name,
      kind: "",
    };
    return [...moved, stays].filter((part) => part.share > 0.0005);
  });
  return (
    <>
      <div class="moves" aria-hidden="true">
        {parts.map(({ received, share, label, kind }, index) => (
          <i
            key={String(index)}
            class={`${kind}${typeof received === "string" ? "" : received === null ? "none" : "plain"}`}
            style={{
              flexGrow: share * 1000,
              ...(typeof received === "string" && { backgroundColor: colourOf(received) }),
            }}
            title={printable(`${percent(share)} ${label}`)}
          >
            {share >= 0.14 && <span>{printable(`${percent(share)} ${label}`)}</span>}
            {share < 0.14 && share >= 0.04 && <span>{percent(share).replace(" %", "")}</span>}
          </i>
        ))}
      </div>
      <small aria-hidden="true">Hatched: users who get something else.</small>
    </>
  );
}
