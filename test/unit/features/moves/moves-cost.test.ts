/** What it costs to compute who moves, which each write does. */
import { expect, it } from "vitest";
import { emptyContent } from "../../../../lib/features/model.ts";
import { movesBetween } from "../../../../lib/features/moves/moves.ts";
import { milliseconds } from "../../../support/cost.ts";
import { times } from "../../../support/patching.ts";
import { variant } from "../../../support/seed.ts";

it("computing who moves takes less than a millisecond for 100 variants, once the code has run a few times", () => {
  const contentFrom = (first: number) => ({
    ...emptyContent,
    enabled: true,
    variants: times(100, (index) => variant(`v${first + index}`, { weight: 10 })),
  });
  const [before, after] = [contentFrom(0), contentFrom(50)];

  expect(milliseconds(() => movesBetween("f", before, after), 1)).toBeLessThanOrEqual(1);
});
