/** The bar of what users get after a draft agrees with the moves that the API computes for it. */
import { describe, expect, it } from "vitest";
import { type SharesAfter, sharesAfter } from "../../../../infra/clients/page/draft/shares-after.ts";
import type { ShownEnvironment } from "../../../../infra/clients/page/requests/shown.ts";
import type { Strategy } from "../../../../lib/contract/strategies.ts";
import { type EnvironmentContent, emptyContent } from "../../../../lib/features/model.ts";
import type { Received } from "../../../../lib/features/moves/move-types.ts";
import { movesBetween } from "../../../../lib/features/moves/moves.ts";
import { toTree } from "../../../../lib/features/patch/environment-tree.ts";
import { variant } from "../../../support/seed.ts";

const feature = "checkout";

const rollout = (id: string, percentage: number, rest: Partial<Strategy> = {}): Strategy => ({
  id,
  name: "flexibleRollout",
  sortOrder: 0,
  parameters: { rollout: String(percentage), stickiness: "default", groupId: feature },
  constraints: [],
  variants: [],
  ...rest,
});
const toPro = { constraints: [{ contextName: "plan", operator: "IN" as const, values: ["pro"] }] };
const withoutGroup = { parameters: { rollout: "25", stickiness: "default" } };
const ofOtherGroup = { parameters: { rollout: "25", stickiness: "default", groupId: "other" } };

const on = (...strategies: Strategy[]): EnvironmentContent => ({
  ...emptyContent,
  enabled: true,
  strategies,
});

const halves = ["blue", "green"].map((name) => variant(name, { weight: 500 }));
const withRed = [...halves, variant("red", { weight: 250 })];

function sharesIn(content: EnvironmentContent, strategy?: string): SharesAfter | undefined {
  const shown = { environment: "production", etag: '"1"', ...toTree(content) } as ShownEnvironment;
  return sharesAfter(feature, shown, strategy);
}

function sumOf(shares: SharesAfter, wanted: Received): number {
  return shares.reduce((sum, [received, share]) => (received === wanted ? sum + share : sum), 0);
}

/** Returns how much the share of the users who get it grows by the moves of the API. */
function growthOf(received: Received, before: EnvironmentContent, after: EnvironmentContent): number {
  let growth = 0;
  for (const move of movesBetween(feature, before, after)) {
    const { from, to, share } = { from: undefined, to: undefined, ...move };
    growth += (Number(to === received) - Number(from === received)) * Number(share);
  }
  return growth;
}

describe("where the API computes shares of all users, the bars before and after differ by its moves", () => {
  it.each<[string, EnvironmentContent, EnvironmentContent]>([
    [
      "the second strategy has the larger rollout",
      on(rollout("s1", 25, toPro), rollout("s2", 50)),
      on(rollout("s1", 25, toPro), rollout("s2", 60)),
    ],
    [
      "one strategy has no group id, and the other has the feature's name",
      on(rollout("s1", 25, withoutGroup), rollout("s2", 50)),
      on(rollout("s1", 25, withoutGroup), rollout("s2", 60)),
    ],
    ["a strategy becomes one of several", on(rollout("s1", 25)), on(rollout("s1", 25), rollout("s2", 100))],
    ["the feature goes off", on(rollout("s1", 40)), { ...on(rollout("s1", 40)), enabled: false }],
    [
      "a variant is added, and weights sum to 1250",
      { ...on(rollout("s1", 10, toPro), rollout("s2", 50)), variants: halves },
      { ...on(rollout("s1", 10, toPro), rollout("s2", 50)), variants: withRed },
    ],
  ])("%s", (_, before, after) => {
    const [barBefore = [], barAfter = []] = [sharesIn(before), sharesIn(after)];

    for (const received of [null, true, "blue", "green", "red"] as const) {
      const growth = sumOf(barAfter, received) - sumOf(barBefore, received);
      expect(growth).toBeCloseTo(growthOf(received, before, after));
    }
    expect(barAfter.reduce((sum, [, share]) => sum + share, 0)).toBeCloseTo(1);
  });
});

it("has the users of the largest rollout without a constraint, and those without the feature", () => {
  expect(sharesIn(on(rollout("s1", 25, toPro), rollout("s2", 60)))).toEqual([
    [true, 0.6],
    [null, 0.4],
  ]);
});

it("has the users of one strategy where the moves are those of a strategy", () => {
  const after = on(rollout("s1", 25, toPro), rollout("s2", 60, ofOtherGroup));

  expect(sharesIn(after, "s1")).toEqual([
    [true, 0.25],
    [null, 0.75],
  ]);
  expect(sharesIn(after, "removed")).toEqual([[null, 1]]);
});

it("is unknown where no rule is for all users, and where it takes several", () => {
  expect(sharesIn(on(rollout("s1", 25, toPro)))).toBeUndefined();
  expect(sharesIn(on(rollout("s1", 25, ofOtherGroup), rollout("s2", 60)))).toBeUndefined();
});
