/** Patches of all that an environment has and of one strategy: what they leave, refuse and hint at. */
import { describe, expect, it } from "vitest";
import type { Json } from "../../../../lib/contract/json.ts";
import type { PatchOperation } from "../../../../lib/contract/patch.ts";
import type { Strategy } from "../../../../lib/contract/strategies.ts";
import type { Variant } from "../../../../lib/contract/variants.ts";
import { type EnvironmentContent, emptyContent } from "../../../../lib/features/model.ts";
import { planPatch, planStrategy } from "../../../../lib/features/patch/plan-patch.ts";
import { add, remove, replace, times } from "../../../support/patching.ts";
import { variant } from "../../../support/seed.ts";

const share = (name: string, weight: number) => ({
  name,
  weight,
  weightType: "variable" as const,
  stickiness: "default",
});
const strategy = (id: string, rest: Partial<Strategy> = {}): Strategy => ({
  ...{ id, name: "default", sortOrder: 0, parameters: {}, constraints: [], variants: [] },
  ...rest,
});
const sent = { name: "default", parameters: {}, constraints: [], variants: {} };

const content = (rest: Partial<EnvironmentContent> = {}) => ({ ...emptyContent, ...rest });
const plan = (patch: PatchOperation[], before: EnvironmentContent) =>
  planPatch({ kind: "patch", root: "environment", patch }, before);
const planOne = (patch: PatchOperation[], before: EnvironmentContent, id = "s1") =>
  planStrategy({ kind: "strategy", id, action: "patch", patch }, before);
const refusal = (run: () => unknown) => {
  try {
    run();
  } catch (error) {
    const { name, message, details } = error as Error & { details?: object };
    return { name, message, details };
  }
  return undefined;
};

const pair = [share("blue", 500), share("red", 500)];
const uneven = [share("blue", 300), share("red", 700)];

describe("a patch of an environment is refused", () => {
  const s1 = content({ strategies: [strategy("s1")] });
  it.each<[string, PatchOperation[], string, [path: string, message: string][]]>([
    ["that makes a text of it", [replace("", "x")], "environment", [["", "must be an object"]]],
    [
      "whose switch is no Boolean",
      [replace("/enabled", "true")],
      "environment",
      [["/enabled", "must be true or false"]],
    ],
    [
      "whose strategies are a list",
      [replace("/strategies", [])],
      "environment",
      [["/strategies", "must be an object of strategies by id"]],
    ],
    [
      "with a strategy that is a text",
      [replace("/strategies/s1", "x")],
      "environment",
      [["/strategies/s1", "must be an object"]],
    ],
    [
      "with too many strategies, whatever else is wrong with them",
      times(31, (index) => add(`/strategies/t${index}`, index)),
      "environment",
      [["/strategies", "must have at most 30 strategies"]],
    ],
    [
      "with several issues, all of which it names",
      [
        replace("/enabled", null),
        add("/strategies/s2", { ...sent, name: 1 }),
        add("/strategies/s3", { ...sent, variants: [] }),
        add("/more", 1),
      ],
      "environment",
      [
        ["/more", "is not a known member; an environment has"],
        ["/enabled", "must be true or false"],
        ["/strategies/s2/name", ""],
        ["/strategies/s3/variants", ""],
      ],
    ],
  ])("%s", (_, patch, what, issues) => {
    const refused = refusal(() => plan(patch, s1));

    expect(refused).toMatchObject({ name: "ValidationError" });
    expect(refused?.message).toContain(`The patched ${what} is invalid: `);
    expect(refused?.details).toEqual(
      issues.map(([path, message]) => ({ path, message: expect.stringContaining(message) })),
    );
  });

  it("with at most as many details as there may be", () => {
    const patch = times(150, (index) => add(`/more${index}`, 1));

    expect(refusal(() => plan(patch, content()))?.details).toHaveLength(100);
  });

  it("with the words of its form", () => {
    const byIndex = { kind: "patch", root: "variants", patch: [remove("/blue")], form: "index" } as const;

    expect(refusal(() => planPatch(byIndex, content()))?.message).toContain("names need ?by=name");
    const byName = { ...byIndex, form: "name" } as const;
    expect(refusal(() => planPatch(byName, content()))?.message).toBe(
      'operation 0 (remove /blue): there is no variant "blue"',
    );
  });
});

describe("the variants of a strategy", () => {
  const variantsAfter = (before: Strategy, names: string[]) => {
    const list = Object.fromEntries(names.map((name) => [name, { weight: 0 }]));
    const patch = [replace(`/strategies/${before.id}/variants`, list)];
    return plan(patch, content({ strategies: [before] })).strategies[0]?.variants.map(({ name }) => name);
  };

  it.each([
    ["that the patch has", ["red", "blue", "amber"], ["red", "blue", "amber"]],
    ["that the patch has, where names only begin or end with a digit", ["a1", "1a"], ["a1", "1a"]],
    [
      "of before, where one is a whole number",
      ["amber", "12", "red", "blue"],
      ["blue", "red", "12", "amber"],
    ],
  ])("are in the order %s", (_, names, expected) => {
    expect(variantsAfter(strategy("s1", { variants: pair }), names)).toEqual(expected);
  });

  it("share the weights if they are patched, and stay exactly so otherwise", () => {
    const before = content({
      strategies: [strategy("s1", { variants: uneven }), strategy("s2", { variants: uneven })],
    });

    const { strategies, hint } = plan([replace("/strategies/s2/variants/blue/stickiness", "userId")], before);

    expect(strategies.map(({ variants }) => variants.map(({ weight }) => weight))).toEqual([
      [300, 700],
      [500, 500],
    ]);
    expect(hint).toMatch(/^Strategy "s2": The weight of variant "blue" goes from 300 to 500/);
  });

  it("need one that is variable", () => {
    const patch = ["blue", "red"].map((name) => replace(`/strategies/s1/variants/${name}/weightType`, "fix"));
    const before = content({ strategies: [strategy("s1", { variants: pair })] });

    expect(refusal(() => plan(patch, before))?.message).toContain('variants of strategy "s1"');
  });
});

describe("a patch of an environment", () => {
  it("sorts strategies by sortOrder, then by id", () => {
    const before = content({ strategies: [strategy("b", { sortOrder: 1 })] });

    const { strategies } = plan(
      [
        add("/strategies/c", { ...sent, sortOrder: 1 }),
        add("/strategies/z", { ...sent, sortOrder: 0 }),
        add("/strategies/a", { ...sent, sortOrder: 1 }),
      ],
      before,
    );

    expect(strategies.map(({ id }) => id)).toEqual(["z", "a", "b", "c"]);
  });

  const targeting = { variants: { on: true, off: false }, defaultVariant: "on" };

  it("keeps targeting, replaces it also by another order of members, and removes it", () => {
    const before = content({ targeting: JSON.stringify(targeting) });
    const reordered = { defaultVariant: "on", variants: { off: false, on: true } };

    expect(plan([replace("/enabled", true)], before).targeting).toBe(before.targeting);
    expect(plan([replace("/targeting", reordered)], before).targeting).not.toBe(before.targeting);
    expect(plan([remove("/targeting")], before).targeting).toBeNull();
    expect(plan([replace("/targeting", null)], before).targeting).toBeNull();
  });

  it("leaves as it was what the patch sends as it was, in any order of members", () => {
    const [blue, red] = ["blue", "red"].map((name) => variant(name, { weight: 5 }));
    const before = content({ variants: [blue as Variant, red as Variant] });
    const { name: _, ...sentBlue } = blue as Variant;
    const { name: __, ...sentRed } = red as Variant;

    const patch = [replace("/variants", { red: sentRed, blue: sentBlue })];

    expect(plan(patch, before).variants).toEqual(before.variants);
  });

  it.each([
    [add("/strategies/s1", { ...sent, name: "custom" }), 'strategy "s1"'],
    [add("/variants/blue", { weight: 0, stickiness: "userId" }), 'variant "blue"'],
  ])("has a hint where it replaces what was there: %j", (operation, element) => {
    const before = content({ strategies: [strategy("s1")], variants: [variant("blue")] });

    expect(plan([operation], before).hint).toBe(`The patch replaces the ${element}, which was there already`);
  });

  it("has no hint where it replaces what it has added itself, where a strategy has the name of the variant", () => {
    const adding = add("/variants/s1", { weight: 0 });

    expect(plan([adding, adding], content({ strategies: [strategy("s1")] })).hint).toBeUndefined();
  });

  it("has no hint where it replaces a member of what was there", () => {
    const before = content({ strategies: [strategy("s1")], variants: [variant("name")] });

    expect(plan([add("/strategies/s1/name", "custom")], before).hint).toBeUndefined();
  });

  it("has no hint where it replaces all variants", () => {
    expect(plan([add("/variants", {})], content({ variants: [variant("blue")] })).hint).toBeUndefined();
  });
});

describe("a change of one strategy", () => {
  const others = [strategy("s0"), strategy("s2")];
  const before = content({
    strategies: [strategy("s0"), strategy("s1", { variants: uneven }), strategy("s2")],
  });

  it("removes that one alone", () => {
    expect(planStrategy({ kind: "strategy", id: "s1", action: "remove" }, before).strategies).toEqual(others);
  });

  it("leaves all as it is with an empty patch, also what a patch would refuse", () => {
    const imported = content({ strategies: [strategy("s1", { name: "" })] });

    expect(planOne([], before)).toEqual(before);
    expect(planOne([], imported)).toEqual(imported);
  });

  it("keeps the weights of variants that it does not patch", () => {
    const { strategies, hint } = planOne([replace("/name", "custom")], before);

    expect(strategies[1]).toEqual(strategy("s1", { name: "custom", variants: uneven }));
    expect(hint).toBeUndefined();
  });

  it("shares the weights of variants that it patches, and says so", () => {
    const { strategies, hint } = planOne([replace("/variants/0/stickiness", "userId")], before);

    expect(strategies[1]?.variants.map(({ weight }) => weight)).toEqual([500, 500]);
    expect(hint).toMatch(/^Strategy "s1": The weight of variant "blue" goes from 300 to 500/);
  });

  it.each<[string, () => unknown, string, string]>([
    [
      "of an id that is not there",
      () => planOne([], before, "no"),
      "NotFoundError",
      'There is no strategy "no"',
    ],
    [
      "that gives it another id",
      () => planOne([replace("/id", "s9")], before),
      "ValidationError",
      "The patched strategy is invalid: /id cannot be changed: remove the strategy, and add another",
    ],
    [
      "that makes a text of it",
      () => planOne([replace("", "x")], before),
      "ValidationError",
      "The patched strategy is invalid: ",
    ],
    [
      "that nests too deeply",
      () =>
        planOne(
          [
            replace(
              "/parameters",
              times(31, () => 0).reduce<Json>((inner) => [inner], 0),
            ),
          ],
          before,
        ),
      "ValidationError",
      "The patched strategy is invalid: /parameters",
    ],
    [
      "that makes it too large",
      () =>
        planOne(
          ["a", "b"].map((name) =>
            add(
              `/parameters/${name}`,
              times(15_000, () => 0),
            ),
          ),
          before,
        ),
      "ValidationError",
      "The patched strategy is invalid: it ",
    ],
    [
      "beyond the most",
      () =>
        planStrategy(
          { kind: "strategy", id: "t", action: "add", patch: [add("", strategy("t"))] },
          content({ strategies: times(30, (index) => strategy(`s${index}`)) }),
        ),
      "ValidationError",
      "The environment must have at most 30 strategies",
    ],
  ])("is refused: %s", (_, run, name, message) => {
    const refused = refusal(run);

    expect(refused?.name).toBe(name);
    expect(refused?.message.slice(0, message.length)).toBe(message);
  });

  it("is refused with a code where it adds one of an id that is there", () => {
    const patch = [add("", strategy("s1"))];

    expect(() => planStrategy({ kind: "strategy", id: "s1", action: "add", patch }, before)).toThrow(
      expect.objectContaining({ status: 409, code: "exists", message: 'The strategy "s1" already exists' }),
    );
  });
});
