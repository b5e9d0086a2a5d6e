/** Which users a change moves, and how that is put into words. */
import { describe, expect, it } from "vitest";
import { limits } from "../../../../lib/contract/limits.ts";
import { type Strategy, strategySchema } from "../../../../lib/contract/strategies.ts";
import type { Variant } from "../../../../lib/contract/variants.ts";
import { type EnvironmentContent, emptyContent } from "../../../../lib/features/model.ts";
import {
  describeMoves,
  formatPercent,
  isUpperBound,
  movedShare,
  movesIssue,
  roundMoves,
} from "../../../../lib/features/moves/moved-share.ts";
import { movesBetween } from "../../../../lib/features/moves/moves.ts";
import { times } from "../../../support/patching.ts";
import { variant } from "../../../support/seed.ts";

const share = (name: string, weight: number, rest: Partial<Variant> = {}) =>
  variant(name, { weight, ...rest });

const halves = [share("blue", 500), share("green", 500)];

const content = (rest: Partial<EnvironmentContent> = {}): EnvironmentContent => ({
  enabled: true,
  variants: halves,
  strategies: [],
  dependencies: [],
  targeting: null,
  ...rest,
});

const strategy = (id: string, rollout: number | string, rest: Partial<Strategy> = {}): Strategy =>
  strategySchema.parse({
    id,
    name: "flexibleRollout",
    parameters: { rollout: String(rollout), stickiness: "default", groupId: "group" },
    ...rest,
  });

const adult = (rest = {}) => ({
  constraints: [{ contextName: "age", operator: "NUM_GT" as const, value: "17", ...rest }],
});
const german = { constraints: [{ contextName: "country", operator: "IN" as const, values: ["de"] }] };

function moves(before: Partial<EnvironmentContent>, after: Partial<EnvironmentContent>) {
  return roundMoves(movesBetween("f", content(before), content(after)));
}

describe("a change of the variants", () => {
  it("moves 15 % for a third variant of 10 %", () => {
    const variants = [share("blue", 450), share("green", 450), share("red", 100, { weightType: "fix" })];
    const moved = movesBetween("f", content(), content({ variants }));

    expect(roundMoves(moved)).toEqual([
      { from: "green", to: "red", share: 0.1 },
      { from: "blue", to: "green", share: 0.05 },
    ]);
    expect(movedShare(moved)).toBe(0.15);
  });

  it("moves all for another order of two halves", () => {
    expect(moves({}, { variants: [...halves].reverse() })).toEqual([
      { from: "blue", to: "green", share: 0.5 },
      { from: "green", to: "blue", share: 0.5 },
    ]);
  });

  it("moves the expected half for another stickiness", () => {
    const variants = halves.map((one) => ({ ...one, stickiness: "tenant" }));

    expect(moves({}, { variants })).toEqual([
      { from: "blue", to: "green", share: 0.25 },
      { from: "green", to: "blue", share: 0.25 },
    ]);
  });

  it("moves the expected share from each of three to each of two for another stickiness", () => {
    const before = [share("a", 500), share("b", 300), share("c", 200)];
    const after = [share("x", 600, { stickiness: "tenant" }), share("y", 400)];

    expect(moves({ variants: before }, { variants: after })).toEqual([
      { from: "a", to: "x", share: 0.3 },
      { from: "a", to: "y", share: 0.2 },
      { from: "b", to: "x", share: 0.18 },
      { from: "b", to: "y", share: 0.12 },
      { from: "c", to: "x", share: 0.12 },
      { from: "c", to: "y", share: 0.08 },
    ]);
  });

  it.each([
    ["payloads", halves.map((one) => ({ ...one, payload: { type: "string", value: "p" } }))],
    ["kinds of weight", halves.map((one) => ({ ...one, weightType: "fix" as const }))],
    [
      "the stickiness of another than the first",
      [share("blue", 500), share("green", 500, { stickiness: "x" })],
    ],
    ["a variant of no weight", [...halves, share("red", 0)]],
  ])("moves no user for %s", (_, variants) => {
    expect(moves({}, { variants })).toEqual([]);
  });

  it("follows the hash where the sum of the weights differs", () => {
    // Of 1000 buckets those from 0 to 249 and from 500 to 749 are the first 250 of 500.
    const before = [share("blue", 250), share("green", 750)];
    const after = [share("blue", 250), share("green", 250)];

    expect(moves({ variants: before }, { variants: after })).toEqual([
      { from: "green", to: "blue", share: 0.25 },
    ]);
  });

  it("shows the first variants, and the loss of all", () => {
    const first = { from: true, to: "blue", share: 0.5 };

    expect(moves({ variants: [] }, {})).toEqual([first, { from: true, to: "green", share: 0.5 }]);
    expect(moves({}, { variants: [] })).toHaveLength(2);
    expect(moves({}, { variants: [share("blue", 0)] })).toHaveLength(2);
  });

  it("does not round a small share to nothing", () => {
    const one = share("blue", 1);
    const rest = share("green", 999);
    const strategies = [strategy("s", 1)];

    expect(moves({ variants: [rest], strategies }, { variants: [one, rest], strategies })).toEqual([
      { from: "green", to: "blue", share: 0.0001 },
    ]);
  });

  it("rounds the shares so that they add up to their sum", () => {
    const thirds = [share("a", 334), share("b", 333), share("c", 333)];
    const toStrategies = (rollout: number) => ({ variants: thirds, strategies: [strategy("s", rollout)] });

    expect(moves(toStrategies(25), toStrategies(50))).toEqual([
      { from: null, to: "a", share: 0.0835 },
      { from: null, to: "b", share: 0.0833 },
      { from: null, to: "c", share: 0.0832 },
    ]);
  });

  it("names overrides, and does not count them", () => {
    const override = (...values: string[]) => ({ overrides: [{ contextName: "userId", values }] });
    const [blue, green] = [share("blue", 500, override("a")), share("green", 500, override("b", "c"))];

    expect(moves({}, { variants: [blue, share("green", 500)] })).toEqual([
      { overrides: ["blue"], share: null },
    ]);
    expect(moves({ variants: [blue, share("green", 500)] }, { variants: [blue, green] })).toEqual([
      { overrides: ["green"], share: null },
    ]);
    expect(
      moves({ variants: [blue, green] }, { variants: [share("blue", 500, override("a", "c")), green] }),
    ).toEqual([{ overrides: ["green", "blue"], share: null }]);
    expect(moves({}, { variants: [blue, share("green", 500, override("b"))] })).toEqual([
      { overrides: ["blue", "green"], share: null },
    ]);
    // The users of the override are not among those who move by the weights.
    expect(moves({ variants: [blue, share("green", 500)] }, { variants: [] })).toEqual([
      { overrides: ["blue"], share: null },
      { from: "blue", to: true, share: 0.5, atMost: true },
      { from: "green", to: true, share: 0.5, atMost: true },
    ]);
    expect(moves({ variants: halves }, { variants: [blue, share("green", 0)] })).toEqual([
      { overrides: ["blue"], share: null },
      { from: "green", to: "blue", share: 0.5, atMost: true },
    ]);
    // The order of those of one field does not matter.
    expect(moves({ variants: [blue, green] }, { variants: [green, blue] }).map((one) => one.share)).toEqual([
      0.5, 0.5,
    ]);
  });
});

describe("a change of weights, if overrides stay as they are", () => {
  const overrides = [{ contextName: "userId", values: ["a"] }];
  const before = [share("blue", 500, { overrides }), share("green", 500)];
  const after = [share("blue", 250, { overrides }), share("green", 750)];

  it("moves at most as many users as the weights say", () => {
    const moved = movesBetween("f", content({ variants: before }), content({ variants: after }));

    expect(moved).toEqual([{ from: "blue", to: "green", share: 0.25, atMost: true }]);
    expect(roundMoves(moved)).toEqual(moved);
    expect(isUpperBound(moved)).toBe(true);
    expect(movesIssue(moved, 0.1)).toMatch(/^Up to 25 % of the users/);
  });

  it("moves as many users as a larger rollout says, and at most as many between variants", () => {
    expect(
      moves(
        { variants: before, strategies: [strategy("s", 20)] },
        { variants: after, strategies: [strategy("s", 40)] },
      ),
    ).toEqual([
      { from: null, to: "green", share: 0.15 },
      { from: null, to: "blue", share: 0.05 },
      { from: "blue", to: "green", share: 0.05, atMost: true },
    ]);
  });

  it("moves as many users as a smaller rollout says", () => {
    expect(
      moves(
        { variants: before, strategies: [strategy("s", 40)] },
        { variants: before, strategies: [strategy("s", 20)] },
      ),
    ).toEqual([
      { from: "blue", to: null, share: 0.1 },
      { from: "green", to: null, share: 0.1 },
    ]);
  });
});

describe("a change of the switch", () => {
  it("gives the feature to all users, or takes it from them", () => {
    expect(moves({ variants: [] }, { variants: [], enabled: false })).toEqual([
      { from: true, to: null, share: 1 },
    ]);
    expect(moves({ enabled: false }, {})).toEqual([
      { from: null, to: "blue", share: 0.5 },
      { from: null, to: "green", share: 0.5 },
    ]);
  });

  it("moves no user while it is off, or while all strategies are disabled", () => {
    const disabled = [strategy("s", 100, { disabled: true })];

    expect(moves({ enabled: false }, { enabled: false, variants: [], strategies: disabled })).toEqual([]);
    expect(moves({ strategies: disabled }, { strategies: disabled, variants: [] })).toEqual([]);
    expect(moves({ strategies: disabled }, { enabled: false })).toEqual([]);
    expect(movedShare(movesBetween("f", content({ strategies: disabled }), content()))).toBe(1);
  });
});

describe("a change of a rollout", () => {
  it.each<[number | string, number | string, number]>([
    [25, 50, 0.25],
    [50, 0, 0.5],
    ["12.9", 12, 0],
  ])("from %s to %s moves %s", (from, to, expected) => {
    const moved = movesBetween(
      "f",
      content({ strategies: [strategy("s", from)] }),
      content({ strategies: [strategy("s", to)] }),
    );

    expect(movedShare(moved)).toBeCloseTo(expected, 9);
  });

  it("keeps those who are in both when the variants change too", () => {
    const strategies = (rollout: number) => [strategy("s", rollout)];

    expect(
      moves({ strategies: strategies(20) }, { strategies: strategies(50), variants: [share("blue", 1000)] }),
    ).toEqual([
      { from: null, to: "blue", share: 0.3 },
      { from: "green", to: "blue", share: 0.1 },
    ]);
  });

  it("chooses all users anew for another group", () => {
    const other = strategy("s", 50, {
      parameters: { rollout: "50", stickiness: "default", groupId: "other" },
    });

    expect(
      moves({ variants: [], strategies: [strategy("s", 50)] }, { variants: [], strategies: [other] }),
    ).toEqual([
      { from: true, to: null, share: 0.25 },
      { from: null, to: true, share: 0.25 },
    ]);
  });

  it("moves no user where the only rollout is 0, whatever else changes", () => {
    const strategies = [strategy("s", 0)];

    expect(moves({ strategies }, { strategies, dependencies: [{ feature: "parent" }] })).toEqual([]);
  });

  it("moves those who are in no rollout when the only strategy goes", () => {
    expect(
      moves({ variants: [], strategies: [strategy("s", 25)] }, { variants: [], strategies: [] }),
    ).toEqual([{ from: null, to: true, share: 0.75 }]);
  });

  it("uses a strategy's variants, in the group of the strategy, in place of the environment's", () => {
    const own = strategy("s", 100, {
      parameters: { rollout: "100", groupId: "f" },
      variants: halves.map(({ overrides: _, ...one }) => one),
    });
    const inOtherGroup = { ...own, parameters: { rollout: "100", groupId: "group" } };

    expect(moves({ strategies: [own] }, { variants: [], strategies: [own] })).toEqual([]);
    expect(moves({}, { strategies: [own] })).toEqual([]);
    expect(movedShare(movesBetween("f", content(), content({ strategies: [inOtherGroup] })))).toBe(0.5);
  });
});

describe("the share of users who move, with constraints and several strategies", () => {
  const [first, second] = [strategy("first", 50, german), strategy("second", 20)];

  it("is given for each strategy, of the users who meet its constraints", () => {
    const before = { variants: [], strategies: [first, second] };
    const after = { variants: [], strategies: [strategy("first", 100, german), strategy("second", 10)] };

    expect(moves(before, after)).toEqual([
      { strategy: "first", from: null, to: true, share: 0.5 },
      { strategy: "second", from: true, to: null, share: 0.1 },
    ]);
    expect(moves(before, { ...before, enabled: false })).toEqual([
      { strategy: "first", from: true, to: null, share: 0.5 },
      { strategy: "second", from: true, to: null, share: 0.2 },
    ]);
  });

  it("is given of all users if several strategies for everyone give the same variants", () => {
    const [half, all] = [strategy("first", 50), strategy("second", 100)];

    expect(
      moves({ variants: [], strategies: [half, all] }, { variants: [], strategies: [half, second] }),
    ).toEqual([{ from: true, to: null, share: 0.5 }]);
    expect(moves({ strategies: [strategy("first", 100), all] }, { strategies: [half, all] })).toEqual([]);
    expect(moves({ strategies: [all, half] }, { strategies: [] })).toEqual([]);
  });

  it("is given of all users if one strategy is for all of them, whatever group another one has", () => {
    const parameters = { rollout: "10", stickiness: "default", groupId: "other" };
    const strategies = [strategy("first", 10, { parameters }), strategy("second", 100)];
    const variants = [share("blue", 450), share("green", 450), share("red", 100, { weightType: "fix" })];

    expect(moves({ strategies }, { strategies, variants })).toEqual([
      { from: "green", to: "red", share: 0.1 },
      { from: "blue", to: "green", share: 0.05 },
    ]);
    expect(moves({ strategies }, { strategies: [strategy("second", 100)] })).toEqual([]);
  });

  it("is given of all users beside a strategy whose users cannot be computed, in each order", () => {
    const testers = strategy("testers", 0, { name: "userWithId", parameters: { userIds: "a" } });
    const forAll = strategy("all", 100, { name: "default", parameters: {} });
    const variants = [share("blue", 400), share("green", 600)];

    for (const strategies of [
      [forAll, testers],
      [testers, forAll],
    ]) {
      expect(moves({ strategies }, { strategies, variants })).toEqual([
        { from: "blue", to: "green", share: 0.1 },
      ]);
    }
    // Of a strategy for all with a smaller rollout, the other one can have more users.
    const strategies = [strategy("some", 50), strategy("more", 60, german)];
    expect(moves({ strategies }, { strategies, variants })).toEqual([
      { strategy: "more", from: "blue", to: "green", share: 0.06 },
      { strategy: "some", from: "blue", to: "green", share: 0.05 },
    ]);
  });

  it("is not given of all users if strategies draw a random number, as SDKs draw one for each", () => {
    const randomly = { parameters: { rollout: "25", stickiness: "random", groupId: "group" } };
    const [one, other] = [strategy("first", 25, randomly), strategy("second", 25, randomly)];

    expect(moves({ variants: [], strategies: [one] }, { variants: [], strategies: [one, other] })).toEqual([
      { strategy: "second", from: null, to: true, share: 0.25 },
    ]);
  });

  it("is given of all users if one of two strategies of the same rollout has constraints", () => {
    const [some, all] = [strategy("first", 50, german), strategy("second", 50)];

    for (const both of [
      [some, all],
      [all, some],
    ]) {
      expect(moves({ strategies: both }, { strategies: [all] })).toEqual([]);
      expect(moves({ strategies: both }, { strategies: [strategy("first", 50, adult()), all] })).toEqual([]);
      expect(moves({ variants: [], strategies: both }, { variants: [], strategies: [] })).toEqual([
        { from: null, to: true, share: 0.5 },
      ]);
    }
  });

  it.each<[string, Partial<Strategy>]>([
    ["another group", { parameters: { rollout: "90", stickiness: "default", groupId: "other" } }],
    ["another stickiness", { parameters: { rollout: "90", stickiness: "tenant", groupId: "group" } }],
    ["variants of its own", { variants: [share("own", 1000)] as never }],
    ["constraints", german],
    ["a strategy that only an application knows", { name: "custom" }],
  ])("is given for each of several strategies if one has %s", (_, rest) => {
    const other = strategy("second", 100, rest);

    expect(
      moves(
        { variants: [], strategies: [strategy("first", 100), other] },
        { variants: [], strategies: [strategy("first", 50), other] },
      ),
    ).toEqual([{ strategy: "first", from: true, to: null, share: 0.5 }]);
  });

  it("is given for each of two strategies with different variants, which stay in order", () => {
    const own = (rollout: number) => ({
      ...strategy("second", rollout),
      variants: [{ ...share("own", 1000) }],
    });

    expect(moves({ strategies: [first, own(20)] }, { strategies: [first, own(30)] })).toEqual([
      { strategy: "second", from: null, to: "own", share: 0.1 },
    ]);
    expect(moves({ strategies: [first, own(20)] }, { strategies: [own(20)] })).toEqual([
      { strategy: "first", from: "blue", to: null, share: 0.25 },
      { strategy: "first", from: "green", to: null, share: 0.25 },
    ]);
    expect(moves({ strategies: [own(20)] }, { strategies: [first, own(20)] })).toEqual([
      { strategy: "first", from: null, to: "blue", share: 0.25 },
      { strategy: "first", from: null, to: "green", share: 0.25 },
    ]);
    expect(moves({ strategies: [first, own(20)] }, { strategies: [first] })).toEqual([
      { strategy: "second", from: "own", to: null, share: 0.2 },
    ]);
  });

  it("cannot be computed where constraints changed", () => {
    const before = { strategies: [first, second] };
    const after = { strategies: [strategy("first", 50), second] };

    expect(moves(before, after)).toEqual([{ strategy: "first", share: null }]);
    expect(movedShare(movesBetween("f", content(before), content(after)))).toBe(null);
  });

  it("comes first where it cannot be computed, and then the largest, in whatever order the strategies are", () => {
    const small = (rollout: number) => strategy("small", rollout, german);
    const large = (rollout: number) => strategy("large", rollout, adult());
    const before = [small(10), strategy("unknown", 50), large(20)];
    const after = [small(20), strategy("unknown", 50, german), large(50)];
    const listed = [
      { strategy: "unknown", share: null },
      { strategy: "large", from: null, to: true, share: 0.3 },
      { strategy: "small", from: null, to: true, share: 0.1 },
    ];

    expect(moves({ variants: [], strategies: before }, { variants: [], strategies: after })).toEqual(listed);
    expect(
      moves(
        { variants: [], strategies: before.toReversed() },
        { variants: [], strategies: after.toReversed() },
      ),
    ).toEqual(listed);
  });

  it("does not depend on the order of constraints and values, nor on members that say nothing", () => {
    const other = { contextName: "age", operator: "NUM_GT" as const, value: "18" };
    const [country] = german.constraints;
    const values = { ...country, values: ["fr", "de"] };
    const before = strategy("s", 50, { constraints: [other, { ...values, values: ["de", "fr"] }] as never });
    const after = strategy("s", 50, { constraints: [{ ...values, inverted: false }, other] as never });

    expect(moves({ strategies: [before] }, { strategies: [after] })).toEqual([]);
  });

  it("cannot be computed between everyone and those who meet constraints", () => {
    expect(moves({}, { strategies: [first] })).toEqual([{ share: null }]);
    expect(moves({ strategies: [first, second] }, { strategies: [] })).toEqual([{ share: null }]);
  });

  it("cannot be computed for strategies that change places, unless both give the same", () => {
    const own = { ...second, variants: [{ ...share("own", 1000) }] };

    expect(moves({ strategies: [first, second] }, { strategies: [second, first] })).toEqual([]);
    expect(moves({ strategies: [first, own] }, { strategies: [own, first] })).toEqual([
      { strategy: "first", share: null },
      { strategy: "second", share: null },
    ]);
    for (const [before, after] of [
      [second, own],
      [own, second],
    ] as const) {
      expect(moves({ strategies: [first, before] }, { strategies: [after, first] })).toEqual([
        { strategy: "first", share: null },
        { strategy: "second", share: null },
      ]);
    }
  });

  it("cannot be computed for other strategies than rollouts", () => {
    const users = (userIds: string) => strategy("users", 0, { name: "userWithId", parameters: { userIds } });
    const [one, two] = [users("a"), users("a,b")];

    expect(moves({ strategies: [one] }, { strategies: [one] })).toEqual([]);
    expect(moves({ strategies: [one] }, { strategies: [two] })).toEqual([{ strategy: "users", share: null }]);
    expect(moves({ strategies: [one] }, { strategies: [strategy("users", 50)] })).toEqual([
      { strategy: "users", share: null },
    ]);
    expect(moves({ strategies: [strategy("users", 50)] }, { strategies: [one] })).toEqual([
      { strategy: "users", share: null },
    ]);
    expect(moves({ strategies: [one] }, { strategies: [one], enabled: false })).toEqual([
      { strategy: "users", share: null },
    ]);
    expect(moves({ strategies: [one] }, { strategies: [{ ...one, title: "Testers" }] })).toEqual([]);
    expect(
      moves({ strategies: [one] }, { strategies: [one], variants: [...halves, share("red", 0)] }),
    ).toEqual([]);
    const variants = [share("blue", 1000)];
    const beside = (rollout: number) => ({ variants, strategies: [one, strategy("s", rollout)] });
    expect(moves(beside(20), beside(50))).toEqual([{ strategy: "s", from: null, to: "blue", share: 0.3 }]);
  });
});

describe("what is the same for each user", () => {
  const half = strategy("s", 50);
  const within = (parameters: Record<string, string>) => [{ ...half, parameters }];

  it.each<[string, Strategy[], Strategy[]]>([
    ["a strategy that is disabled, beside another", [half], [half, strategy("t", 100, { disabled: true })]],
    ["a rollout of 0, beside another", [half], [half, strategy("t", 0)]],
    [
      "a group that is the feature, or none",
      within({ rollout: "50", groupId: "f" }),
      within({ rollout: "50" }),
    ],
    [
      "an empty stickiness, or the default",
      within({ rollout: "50", groupId: "g", stickiness: "" }),
      within({ rollout: "50", groupId: "g", stickiness: "default" }),
    ],
    [
      "parameters of a strategy for everyone",
      [strategy("s", 50, { name: "default", parameters: { rollout: "50" } })],
      [strategy("s", 10, { name: "default", parameters: {} })],
    ],
    [
      "an empty list of values, or none, for an operator that compares with one",
      [strategy("s", 50, adult())],
      [strategy("s", 50, adult({ values: [] }))],
    ],
    [
      "capitals that count, said or not",
      [strategy("s", 50, german)],
      [
        strategy("s", 50, {
          constraints: german.constraints.map((one) => ({ ...one, caseInsensitive: false })),
        }),
      ],
    ],
  ])("is %s", (_, one, other) => {
    expect(moves({ strategies: one }, { strategies: other })).toEqual([]);
    expect(moves({ strategies: other }, { strategies: one })).toEqual([]);
  });

  it.each([
    { inverted: true },
    { values: ["de", "fr"] },
    { contextName: "region" },
    { caseInsensitive: true },
  ])("is not a constraint with %j", (changed) => {
    const constraints = german.constraints.map((one) => ({ ...one, ...changed }));
    const [before, after] = [strategy("s", 50, german), strategy("s", 50, { constraints })];

    expect(moves({ strategies: [before] }, { strategies: [after] })).toEqual([
      { strategy: "s", share: null },
    ]);
  });

  it("is not the order of overrides of two fields", () => {
    const overriding = (contextName: string, value: string) => ({
      overrides: [{ contextName, values: [value] }],
    });
    const blue = share("blue", 1000, overriding("userId", "b"));
    const green = share("green", 0, overriding("tenant", "a"));

    expect(moves({ variants: [blue, green] }, { variants: [green, blue] })).toEqual([
      { overrides: ["green", "blue"], share: null },
    ]);
  });

  it("is not another list of parents, while the feature is on", () => {
    const dependencies = [{ feature: "parent" }];

    expect(moves({}, { dependencies })).toEqual([{ share: null }]);
    expect(moves({ enabled: false }, { enabled: false, dependencies })).toEqual([]);
  });
});

describe("the share of users who move by another stickiness", () => {
  const by = (stickiness: string, rollout = 100) =>
    strategy("s", rollout, { parameters: { rollout: String(rollout), stickiness, groupId: "group" } });
  const unknown = [{ strategy: "s", share: null }];
  const sticky = (stickiness: string) => halves.map((one) => ({ ...one, stickiness }));

  it.each([
    ["default", "tenant"],
    ["tenant", "default"],
    ["default", "userId"],
    ["userId", "sessionId"],
    ["random", "tenant"],
  ])("is not known of a rollout, as users without the field are in none: from %s to %s", (one, other) => {
    expect(moves({ strategies: [by(one)] }, { strategies: [by(other)] })).toEqual(unknown);
    expect(moves({ strategies: [by(one, 50)] }, { strategies: [by(other, 50)] })).toEqual(unknown);
  });

  it("is that of a new draw between the default and random, which every user has", () => {
    expect(
      moves(
        { variants: [], strategies: [by("default", 50)] },
        { variants: [], strategies: [by("random", 50)] },
      ),
    ).toEqual([
      { from: true, to: null, share: 0.25 },
      { from: null, to: true, share: 0.25 },
    ]);
  });

  it("is of those who have the field, where a rollout by it grows, begins or ends", () => {
    const joining = (share: number) => [{ strategy: "s", from: null, to: true, share }];
    const movesOf = (one: Strategy[], other: Strategy[]) =>
      moves({ variants: [], strategies: one }, { variants: [], strategies: other });
    const all = strategy("all", 0, { name: "default", parameters: {} });

    expect(movesOf([by("tenant", 25)], [by("tenant", 50)])).toEqual(joining(0.25));
    expect(movesOf([], [by("tenant", 50)])).toEqual([{ share: null }]);
    // A rollout of 100 % is not for users without the field, whom another strategy may have.
    expect(movesOf([by("tenant"), strategy("b", 50)], [by("tenant")])).toEqual([
      { strategy: "b", from: true, to: null, share: 0.5 },
    ]);
    expect(movesOf([all, by("tenant", 25)], [all, by("tenant", 50)])).toEqual([]);
  });

  it.each(["userId", "sessionId", "remoteAddress"])(
    "is not known of variants, as the default can be %s",
    (field) => {
      expect(moves({ variants: sticky("default") }, { variants: sticky(field) })).toEqual([{ share: null }]);
      expect(moves({ variants: sticky(field) }, { variants: sticky("default") })).toEqual([{ share: null }]);
    },
  );

  it("is that of a new draw of variants by another field, or of one variant for all", () => {
    const [blue] = sticky("userId");
    const drawn = [
      { from: "blue", to: "green", share: 0.25 },
      { from: "green", to: "blue", share: 0.25 },
    ];

    expect(moves({ variants: sticky("userId") }, { variants: sticky("tenant") })).toEqual(drawn);
    expect(moves({ variants: sticky("default") }, { variants: sticky("tenant") })).toEqual(drawn);
    const blueForAll = [{ ...blue, weight: 1000 } as Variant];
    expect(moves({ variants: sticky("default") }, { variants: blueForAll })).toEqual([
      { from: "green", to: "blue", share: 0.5 },
    ]);
    expect(moves({ variants: blueForAll }, { variants: sticky("default") })).toEqual([
      { from: "blue", to: "green", share: 0.5 },
    ]);
  });
});

it("of 150 variants that a larger rollout gives, lists the largest moves, and sums the others", () => {
  const variants = Array.from({ length: 150 }, (_, index) => share(`v${index}`, 1));
  const moved = (rollout: number) => content({ variants, strategies: [strategy("s", rollout)] });

  const moves = movesBetween("f", moved(10), moved(40));

  expect(moves).toHaveLength(limits.listedMoves + 1);
  expect(moves.filter((move) => !("from" in move))).toEqual([{ share: expect.closeTo((0.3 * 50) / 150, 9) }]);
});

it("lists as many moves as it may from a variant that keeps some of its users and has 149 others beside it", () => {
  const others = times(149, (index) => share(`v${index}`, 1));
  const moved = moves({ variants: [share("blue", 1)] }, { variants: [share("blue", 1), ...others] });

  expect(moved.slice(1)).toEqual(
    times(limits.listedMoves, (index) => ({
      from: "blue",
      to: `v${index}`,
      share: expect.closeTo(1 / 150, 3),
    })),
  );
});

it("lists the largest moves first where each remainder has more than 100 variants", () => {
  // The sums 208 and 210 have the period 2. A variant of weight 2 has a bucket of each remainder, and one of weight 1 has a
  // bucket of one remainder only.
  const variantsOf = (heavy: string[]) => [
    ...times(204, (index) => share(`v${index}`, 1)),
    ...heavy.map((name) => share(name, 2)),
  ];
  const before = content({ variants: variantsOf(["a", "b"]) });
  const after = content({ variants: variantsOf(["x", "y", "z"]) });

  const largest = movesBetween("f", before, after).slice(1, 7);

  const all = (208 * 210) / 2;
  expect(largest).toEqual(
    ["a", "b"].flatMap((from) => ["x", "y", "z"].map((to) => ({ from, to, share: 2 / all }))),
  );
});

it("of 150 variants with another stickiness, sums the other moves of those who are in both rollouts", () => {
  const moved = (stickiness: string) =>
    content({
      variants: Array.from({ length: 150 }, (_, index) => share(`v${index}`, 1, { stickiness })),
      strategies: [strategy("s", 50)],
    });

  const sums = movesBetween("f", moved("default"), moved("tenant")).filter((move) => !("from" in move));

  // Each of 150 * 149 moves has the share 1 / 150 ** 2 of them.
  expect(sums).toEqual([{ share: expect.closeTo((0.5 * (150 * 149 - 100)) / 150 ** 2, 9) }]);
});

it("is not known where two strategies that give other variants change places, and none where they give the same", () => {
  const [one, other] = [strategy("one", 50, german), strategy("other", 50, adult())];
  const own = strategy("other", 50, { ...adult(), variants: [share("red", 1000)] });

  expect(moves({ strategies: [one, other] }, { strategies: [other, one] })).toEqual([]);
  expect(moves({ strategies: [one, own] }, { strategies: [own, one] })).toEqual([
    { strategy: "one", share: null },
    { strategy: "other", share: null },
  ]);
});

/** A heavy variant has the weight 21, and each other one the weight 1. */
function contentOf600(stickiness: string, isHeavy: (index: number) => boolean): EnvironmentContent {
  const variants = times(600, (index) =>
    variant(`v${index}`, { weight: isHeavy(index) ? 21 : 1, stickiness }),
  );
  return { ...emptyContent, enabled: true, variants };
}

it("with another stickiness of 600 variants, lists the largest moves, and sums the others", () => {
  const isHeavy = (index: number) => index < 20;
  const moves = movesBetween("f", contentOf600("default", isHeavy), contentOf600("tenant", isHeavy));

  expect(moves).toHaveLength(limits.listedMoves + 1);
  const [others, ...listed] = moves;
  expect(others).toEqual({ share: expect.closeTo(0.9906 - 100 * 0.000441, 6) });
  for (const { share } of listed) expect(share).toBeCloseTo(0.021 ** 2, 9);
  expect(movedShare(moves)).toBeCloseTo(0.9906, 9);
  const issue = movesIssue(moves, 0.1) ?? "";
  expect(issue).toMatch(
    /^99\.06 % of the users would .+: \d+\.\d+ % otherwise, 0\.04 % from v\d+ to v\d+, .+, \.\.\.$/,
  );
  expect(issue.length).toBeLessThan(500);
});

it("with another stickiness of 600 variants, lists the moves between the heavy ones first, also if these are the last variants", () => {
  const isHeavy = (index: number) => index >= 595;
  const moves = movesBetween("f", contentOf600("default", isHeavy), contentOf600("tenant", isHeavy));

  const heavy = ["v595", "v596", "v597", "v598", "v599"];
  const between = heavy.flatMap((from) =>
    heavy.filter((to) => to !== from).map((to) => ({ from, to, share: expect.closeTo((21 / 700) ** 2, 9) })),
  );
  expect(moves.slice(1, between.length + 1)).toEqual(between);
});

it("the message of an exceeded limit says whether the share is exact or an upper bound", () => {
  const move = { from: "blue", to: "green", share: 0.5 };

  expect(movesIssue([move], 0.1)).toBe(
    "50 % of the users would get something else, more than the 10 % that Burgee-Most-Moves allows: 50 % from blue to green",
  );
  expect(movesIssue([move], 0.5)).toBeUndefined();
  expect(movesIssue([{ share: null }], 1)).toMatch(/^How many users get something else cannot be computed/);
  expect(movesIssue([move, { ...move, strategy: "s" }], 0.1)).toMatch(/^Up to 100 % of the users/);
  expect([isUpperBound([move]), isUpperBound([])]).toEqual([false, false]);
});

it("the description of more than 10 moves ends in an ellipsis, and that of 10 does not", () => {
  const all = times(11, (index) => ({ from: "blue", to: `v${index}`, share: 0.01 }));

  expect(describeMoves(all.slice(0, 10))).toMatch(/, 1 % from blue to v9$/);
  expect(describeMoves(all)).toMatch(/, 1 % from blue to v9, \.\.\.$/);
});

it("moves are described in words", () => {
  const described = [
    describeMoves([
      { from: "green", to: "red", share: 0.1 },
      { from: null, to: true, share: 0.00001 },
    ]),
    describeMoves([{ strategy: "s", from: true, to: null, share: 1 }]),
    describeMoves([{ share: null }]),
    describeMoves([{ strategy: "s", share: null, overrides: ["blue", "green"] }]),
    formatPercent(0),
  ];

  expect(described).toEqual([
    "10 % from green to red, 0.01 % from off to on without a variant",
    '100 % of strategy "s" from on without a variant to off',
    "unknown",
    'unknown of strategy "s" by the overrides of blue and green',
    "0 %",
  ]);
});

describe("the share of users who move by targeting", () => {
  const targeting = '{"defaultVariant":"blue"}';

  it("cannot be computed", () => {
    expect(moves({ targeting }, { targeting, enabled: false })).toEqual([{ share: null }]);
    expect(moves({}, { targeting })).toEqual([{ share: null }]);
    expect(moves({ targeting, enabled: false }, { enabled: false })).toEqual([]);
    expect(moves({ targeting }, { targeting })).toEqual([]);
    expect(moves({ targeting }, { targeting, dependencies: [{ feature: "parent" }] })).toEqual([
      { share: null },
    ]);
  });

  it("cannot be computed where flagd's users may get a variant of weight 0, or the feature in spite of its strategies", () => {
    const none = variant("red", { weight: 0, weightType: "fix" });
    const variants = [variant("blue"), none];
    const strategies = [strategy("s", 0)];

    expect(moves({ targeting, variants }, { targeting, variants: [variant("blue")] })).toEqual([
      { share: null },
    ]);
    expect(moves({ targeting, strategies }, { targeting, strategies, enabled: false })).toEqual([
      { share: null },
    ]);
    expect(moves({ targeting, strategies }, { targeting: "{}", strategies })).toEqual([{ share: null }]);
    expect(moves({ targeting, strategies }, { strategies })).toEqual([{ share: null }]);
    expect(moves({ strategies }, { targeting, strategies })).toEqual([{ share: null }]);
    const disabled = [strategy("s", 0, { disabled: true })];
    expect(moves({ targeting, strategies }, { targeting, strategies: disabled })).toEqual([{ share: null }]);
    const renamed = variant("green", { weight: 0, weightType: "fix" });
    expect(moves({ targeting, variants }, { targeting, variants: [variant("blue"), renamed] })).toEqual([
      { share: null },
    ]);
  });

  it("is 0 where only a payload changes", () => {
    const payload = { type: "string" as const, value: "x" };

    const variants = [share("blue", 500, { payload }), share("green", 500)];

    expect(moves({ targeting }, { targeting, variants })).toEqual([]);
  });

  it("is 0 where flagd's flag stays the same: another title, a disabled strategy, and off before and after", () => {
    const titled = strategy("a", 50, { title: "half of the users" });
    const disabled = strategy("b", 50, { disabled: true });
    const movesOf = (before: Strategy[], after: Strategy[], newTargeting = targeting) =>
      moves({ targeting, strategies: before }, { targeting: newTargeting, strategies: after });

    expect(movesOf([strategy("a", 50)], [titled])).toEqual([]);
    expect(movesOf([titled], [titled, disabled])).toEqual([]);
    expect(movesOf([disabled], [disabled], "{}")).toEqual([]);
    expect(movesOf([titled], [disabled])).toEqual([{ share: null }]);
  });
});
