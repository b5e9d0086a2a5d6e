/** What it costs to compute who moves, which each write does. */
import { setTimeout } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, it } from "vitest";
import { emptyContent } from "../../../../lib/features/model.ts";
import { compareSplitsOnce } from "../../../../lib/features/moves/compare-splits.ts";
import { movesBetween } from "../../../../lib/features/moves/moves.ts";
import { rulesOf, type VariantSplit } from "../../../../lib/features/moves/sdk-rules.ts";
import { milliseconds } from "../../../support/cost.ts";
import { times } from "../../../support/patching.ts";
import { variant } from "../../../support/seed.ts";

it("the comparison with a split is forgotten once that is gone, also where the other is there for good", async () => {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc");
  const without = { ...emptyContent, enabled: true };
  const splitWithout = rulesOf("f", without)[0]?.split as VariantSplit;
  const compared = times(20, (index) => {
    const [rule] = rulesOf("f", { ...without, variants: [variant(`v${index}`)] });
    compareSplitsOnce(splitWithout, rule?.split as VariantSplit);
    return new WeakRef(rule?.split as VariantSplit);
  });

  await setTimeout(10);
  collect();

  expect(compared.map((split) => split.deref())).toEqual(times(20, () => undefined));
});

it("computing who moves takes less than a millisecond for 100 variants, once the code has run a few times", () => {
  const contentFrom = (first: number) => ({
    ...emptyContent,
    enabled: true,
    variants: times(100, (index) => variant(`v${first + index}`, { weight: 10 })),
  });
  const [before, after] = [contentFrom(0), contentFrom(50)];

  expect(milliseconds(() => movesBetween("f", before, after), 1)).toBeLessThanOrEqual(1);
});
