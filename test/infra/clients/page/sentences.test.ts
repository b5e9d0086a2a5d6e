/** The sentences of the page: what a change did, what a draft is to do, and whose change the newest one is. */
import { expect, it, vi } from "vitest";
import type { ShownEnvironment, ShownStrategy } from "../../../../infra/clients/page/requests/shown.ts";
import { attributionOf, changeInWords, intentOf } from "../../../../infra/clients/page/words/sentences.ts";
import { findNewestWrite } from "../../../../infra/clients/words/last-write.ts";
import type { ListedChange } from "../../../../lib/contract/responses/changes.ts";
import type { DifferenceOperation } from "../../../../lib/contract/responses/members.ts";

const change = (
  by: string,
  writes: Record<string, string>,
  difference: DifferenceOperation[] = [],
): ListedChange => ({
  id: by,
  by,
  at: "2030-01-01T11:00:00.000Z",
  environments: Object.entries(writes).map(([environment, time]) => ({
    environment,
    writtenAt: `2030-01-01T${time}:00.000Z`,
    difference,
    isTop: false,
    canUndo: false,
  })),
});

it("names the newest write in an environment, although another environment was written later", () => {
  vi.useFakeTimers({ now: Date.parse("2030-01-01T12:00:00.000Z") });
  const changes = [
    change("ann", { development: "11:58", production: "11:30" }),
    change("ben", { development: "11:40", production: "11:50" }),
  ];
  const attributionIn = (name: string) =>
    attributionOf(findNewestWrite(changes, ({ environment }) => environment === name));

  expect(["development", "production", "staging"].map(attributionIn)).toEqual([
    ", by ann, 2 minutes ago",
    ", by ben, 10 minutes ago",
    "",
  ]);
  vi.useRealTimers();
});

/** From blue alone to blue with 8 and red with 7, as a state file can have them: 53.3 % and 46.7 % of users. */
const toOddWeights: DifferenceOperation[] = [
  { op: "replace", path: "/variants/blue/weight", value: 8, was: 1000 },
  { op: "add", path: "/variants/red", value: { weight: 7, weightType: "variable", stickiness: "default" } },
];

/** The environments of a feature that has blue and red with these weights in production, also in a strategy there. */
function withWeights(blue: number, red: number, ofStrategy = [blue, red]): ShownEnvironment[] {
  const variantsOf = ([blue = 0, red = 0]: number[]) => ({
    blue: { weight: blue, weightType: "variable" as const, stickiness: "default" },
    red: { weight: red, weightType: "variable" as const, stickiness: "default" },
  });
  const environment = { environment: "development", enabled: true, etag: "", variants: {}, strategies: {} };
  const strategy = { name: "default", variants: variantsOf(ofStrategy) } as unknown as ShownStrategy;
  const variants = variantsOf([blue, red]);
  return [
    environment,
    { ...environment, environment: "production", variants, strategies: { one: strategy } },
  ];
}

it("says of a change which shares it has put", () => {
  const toFifths: DifferenceOperation[] = [
    { op: "replace", path: "/variants/blue/weight", value: 200, was: 500 },
    { op: "replace", path: "/variants/red/weight", value: 800, was: 500 },
  ];
  const made = change("test", { production: "11:50" }, toFifths);

  expect(changeInWords(made, withWeights(200, 800))).toBe("put blue at 20 % and red at 80 % in production");
});

it.each([
  ["the feature's", withWeights(8, 7, [500, 500])],
  ["a strategy's", withWeights(500, 500, [8, 7])],
])("says which weights instead, if %s do not sum to 1000", (_, feature) => {
  const made = change("operator", { production: "11:50" }, toOddWeights);

  expect(changeInWords(made, feature)).toBe("added red at weight 7, put blue at weight 8 in production");
  expect(changeInWords({ ...made, undoes: "earlier" }, feature)).toBe(
    "added red at weight 7, put blue at weight 8 in production, by undo",
  );
});

it("says which variants became fix or variable, unless their weights say so", () => {
  const blue = "/variants/blue";
  const toFix: DifferenceOperation = {
    op: "replace",
    path: `${blue}/weightType`,
    value: "fix",
    was: "variable",
  };
  const toFifth: DifferenceOperation = { op: "replace", path: `${blue}/weight`, value: 200, was: 500 };
  const saidOf = (...difference: DifferenceOperation[]) =>
    changeInWords(change("test", { production: "11:50" }, difference), withWeights(500, 500));

  expect(saidOf(toFix)).toBe("made blue fix in production");
  expect(saidOf({ ...toFix, path: `/strategies/one${toFix.path}` })).toBe("made blue fix in production");
  expect(saidOf(toFix, toFifth)).toBe("put blue at 20 % in production");
  expect(intentOf([{ ...toFix, value: "variable" }], { isUndo: false })).toBe("make blue variable");
});

it("says the weights of a strategy's variants apart from those of the environment's", () => {
  const putting = (path: string, value: number): DifferenceOperation => ({
    ...{ op: "replace", path: `${path}/variants/blue/weight` },
    ...{ value, was: 500 },
  });
  const difference = [putting("", 700), putting("/strategies/one", 300), putting("/strategies/two", 500)];
  const made = change("test", { production: "11:50" }, difference);

  expect(changeInWords(made, withWeights(700, 300))).toBe(
    "put blue at 70 %, put blue at 30 % in a strategy, put blue at 50 % in a strategy in production",
  );
});

it("says of a draft which shares a patch is to put, whose weights sum to 1000, and which weights an undo", () => {
  const toThirds: DifferenceOperation[] = [
    { op: "replace", path: "/variants/blue/weight", value: 667, was: 1000 },
    { op: "add", path: "/variants/red", value: { weight: 333, weightType: "fix", stickiness: "default" } },
  ];

  expect(intentOf(toThirds, { isUndo: false })).toBe("add red at 33.3 %, put blue at 66.7 %");
  expect(intentOf(toOddWeights, { isUndo: true })).toBe("add red at weight 7, put blue at weight 8");
});
