/** flagd's document has the variants of a feature once, however many strategies use them, and flagd chooses as before. */
import { FlagdCore } from "@openfeature/flagd-core";
import * as fc from "fast-check";
import { expect, it } from "vitest";
import { type Strategy, strategySchema } from "../../../lib/contract/strategies.ts";
import { flagd } from "../../../lib/documents/flagd.ts";
import { createOmissions } from "../../../lib/documents/omissions.ts";
import { emptyContent } from "../../../lib/features/model.ts";
import { times } from "../../support/patching.ts";
import { silent } from "../../support/sdks.ts";
import { variant } from "../../support/seed.ts";

const documentOf = (overrides: number, strategies: Strategy[]): string => {
  const values = times(overrides, (index) => `user-${index}`);
  const variants = overrides
    ? [variant("all", { weight: 1000, overrides: [{ contextName: "userId", values }] })]
    : [];
  const feature = { ...emptyContent, name: "f", project: "p", enabled: true, variants, strategies };
  return JSON.stringify(flagd([feature], { environment: "e" }, createOmissions()));
};

/** A strategy for some groups, for users of more than 18 years, or for everyone. */
const condition = fc.oneof(
  fc.subarray(["g0", "g1", "g2", "g3"], { minLength: 1 }),
  fc.constant("adults" as const),
  fc.constant("everyone" as const),
);
const rule = fc.record({ condition, hasOwn: fc.boolean() });
type Rule = typeof rule extends fc.Arbitrary<infer One> ? One : never;

function toStrategy({ condition, hasOwn }: Rule, index: number): Strategy {
  const constraints =
    condition === "everyone"
      ? []
      : condition === "adults"
        ? [{ contextName: "age", operator: "NUM_GT", value: "18" }]
        : [{ contextName: "group", operator: "IN", values: condition }];
  const variants = hasOwn ? [variant(`own-${index}`, { weight: 1000 })] : [];
  return strategySchema.parse({ id: `s${index}`, name: "default", sortOrder: index, constraints, variants });
}

interface User {
  group: string;
  age?: number | string;
}

/** The variant of the first strategy that matches. flagd compares no number with a text. */
function expected(rules: readonly Rule[], { group, age }: User): string {
  for (const [index, { condition, hasOwn }] of rules.entries()) {
    if (condition === "adults" && typeof age === "string") return "error";
    const matches =
      condition === "everyone" ||
      (condition === "adults" ? Number(age ?? 0) > 18 : condition.includes(group));
    if (matches) return hasOwn ? `own-${index}` : "all";
  }
  return "default";
}

it("gives each user the variant of the first strategy that matches", () => {
  fc.assert(
    fc.property(
      fc.array(rule, { minLength: 1, maxLength: 8 }),
      fc.constantFrom(1, 100),
      (rules, overrides) => {
        const core = new FlagdCore(undefined, silent);
        core.setConfigurations(documentOf(overrides, rules.map(toStrategy)));
        for (const group of ["g0", "g1", "g2", "g3", "g4"])
          for (const age of [undefined, 17, 19, "unknown"]) {
            const context = { group, ...(age !== undefined && { age }) };
            const { value, reason } = core.resolveStringEvaluation("f", "default", context as never);
            const given = reason === "ERROR" ? "error" : value;
            expect({ rules, context, given }).toEqual({ rules, context, given: expected(rules, context) });
          }
      },
    ),
    { numRuns: 300 },
  );
});

it.each([
  ["none has variants of its own", () => false],
  ["every second one has", (index: number) => index % 2 === 1],
])("has the overrides of a feature once for 30 strategies, of which %s", (_, hasOwn) => {
  const strategies = times(30, (index) => toStrategy({ condition: ["g0"], hasOwn: hasOwn(index) }, index));
  const once = documentOf(5000, []).length;

  expect(documentOf(5000, strategies).length).toBeLessThan(1.2 * once);
});

it("has a flag whose own variants flagd could not choose among, if each strategy has variants of its own", () => {
  const overrides = [{ contextName: "a.b", values: ["x"] }];
  const variants = [variant("all", { weight: 1000, overrides })];
  const leftOut = [true, false].map((hasOwn) => {
    const strategies = [toStrategy({ condition: "everyone", hasOwn }, 0)];
    const feature = { ...emptyContent, name: "f", project: "p", enabled: true, variants, strategies };
    const omissions = createOmissions();
    flagd([feature], { environment: "e" }, omissions);
    return omissions.list().map(({ what, which }) => [what, which]);
  });

  expect(leftOut).toEqual([[], [["features", ["f"]]]]);
});
