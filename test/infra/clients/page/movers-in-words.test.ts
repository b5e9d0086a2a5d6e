/** Which users a draft moves, in the words of the page: their shares are rounded as those of the API's messages are. */
import { expect, it } from "vitest";
import type { ShownMove } from "../../../../infra/clients/page/requests/shown.ts";
import { movedInWords, moversInWords } from "../../../../infra/clients/page/words/movers-in-words.ts";
import { formatPercent } from "../../../../lib/features/moves/moved-share.ts";

it.each<[string, ShownMove[], ...words: string[]]>([
  [
    "a few users of many",
    [{ from: "blue", to: "red", share: 0.0002 }],
    "0.02 % of users in production get something else:",
    "0.02 % from blue to red.",
  ],
  [
    "a third, in two parts",
    [
      { from: "blue", to: "red", share: 0.1667 },
      { from: "green", to: "red", share: 0.1666 },
    ],
    "33.33 % of users in production get something else:",
    "16.67 % from blue to red, 16.66 % from green to red.",
  ],
  [
    "those who lose it",
    [{ from: true, to: null, share: 1 }],
    "100 % of users in production lose the flag.",
    "",
  ],
  [
    "an unknown share",
    [{ share: null }],
    "How many users in production get something else cannot be computed.",
    "",
  ],
])("says which users move: %s", (_, moves, ...words) => {
  expect(moversInWords(moves, "production")).toEqual(words);
});

it("says of a change in how few users it has moved, and that a share of a strategy is a bound", () => {
  const few = [{ from: "blue", to: "red", share: 0.0001 }];

  expect(movedInWords([few, []])).toBe(`${formatPercent(0.0001)} of users got something else`);
  expect(movedInWords([few.map((move) => ({ ...move, strategy: "beta" }))])).toBe(
    "up to 0.01 % of users got something else",
  );
});
