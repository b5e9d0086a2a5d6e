/** The page draws what a patch leaves as the API stores it, although it checks patches without the API's schemas. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { applied } from "../../../../infra/clients/page/draft/patch.ts";
import type { ShownEnvironment } from "../../../../infra/clients/page/requests/shown.ts";
import { jsonPatchSchema } from "../../../../lib/contract/patch.ts";
import type { Strategy } from "../../../../lib/contract/strategies.ts";
import { type EnvironmentContent, emptyContent } from "../../../../lib/features/model.ts";
import { toTree } from "../../../../lib/features/patch/environment-tree.ts";
import { planPatch } from "../../../../lib/features/patch/plan-patch.ts";
import { value as json } from "../../../support/arbitraries.ts";
import { itProp } from "../../../support/property.ts";
import { variant } from "../../../support/seed.ts";

const strategy: Strategy = {
  id: "gradual",
  name: "flexibleRollout",
  title: "Beta",
  sortOrder: 3,
  parameters: { rollout: "25", stickiness: "userId", groupId: "checkout" },
  constraints: [{ contextName: "country", operator: "IN", values: ["DE"] }],
  variants: [{ name: "old", weight: 1000, weightType: "variable", stickiness: "default" }],
};
const stored: EnvironmentContent = {
  ...emptyContent,
  enabled: true,
  variants: [variant("blue"), { ...variant("green"), overrides: [{ contextName: "userId", values: ["7"] }] }],
  strategies: [strategy],
  dependencies: [{ feature: "parent" }],
  targeting: JSON.stringify({ targeting: { if: [true, "blue"] } }),
};
const before = { environment: "production", etag: '"1"', ...toTree(stored) } as ShownEnvironment;

/** What the API stores, in the form of the page; undefined if it refuses the patch. */
function stores(patch: unknown): unknown {
  const { data, success } = jsonPatchSchema.safeParse(patch);
  if (!success) return undefined;
  try {
    return toTree(planPatch({ kind: "patch", root: "environment", patch: data }, stored));
  } catch {
    return undefined;
  }
}

const draws = (patch: readonly unknown[]) => {
  const after = applied(before, patch);
  if (!after) return undefined;
  const { environment: _, etag: __, ...tree } = after;
  return tree;
};

/** Without what the server normalises: the weights of variable variants. What is null or empty is stored as absent. */
const comparable = (tree: unknown) =>
  JSON.parse(
    JSON.stringify(tree, (name, value) => {
      if (name === "weight") return "any";
      const isAbsent = value === null || (name === "dependencies" && value.length === 0);
      return isAbsent && ["dependencies", "targeting"].includes(name) ? undefined : value;
    }),
  );

const accepted: [what: string, ...patch: { op: string; path: string; from?: string; value?: unknown }[]][] = [
  ["a switch", { op: "replace", path: "/enabled", value: false }],
  ["a variant with a weight alone", { op: "add", path: "/variants/red", value: { weight: 100 } }],
  [
    "a variant with all that it can have",
    {
      op: "add",
      path: "/variants/red",
      value: {
        weight: 100,
        weightType: "fix",
        stickiness: "userId",
        payload: { type: "json", value: "{}" },
        overrides: [{ contextName: "userId", values: ["8"] }],
      },
    },
  ],
  ["a renamed variant", { op: "move", from: "/variants/blue", path: "/variants/azure" }],
  ["a variant like another", { op: "copy", from: "/variants/green", path: "/variants/teal" }],
  ["no variants", { op: "replace", path: "/variants", value: {} }],
  ["a strategy with a name alone", { op: "add", path: "/strategies/all", value: { name: "default" } }],
  [
    "a strategy with a variant",
    {
      op: "add",
      path: "/strategies/some",
      value: { name: "default", disabled: true, variants: { new: { weight: 0 } } },
    },
  ],
  ["another rollout", { op: "add", path: "/strategies/gradual/parameters/rollout", value: "50" }],
  [
    "a constraint of one value",
    {
      op: "add",
      path: "/strategies/gradual/constraints/-",
      value: { contextName: "age", operator: "NUM_GT", value: "17", inverted: true },
    },
  ],
  ["no title", { op: "remove", path: "/strategies/gradual/title" }],
  ["no strategies", { op: "replace", path: "/strategies", value: {} }],
  ["other parents", { op: "replace", path: "/dependencies", value: [{ feature: "other", enabled: false }] }],
  ["no parents", { op: "remove", path: "/dependencies" }],
  ["no logic of flagd", { op: "replace", path: "/targeting", value: null }],
];

describe("what the API accepts", () => {
  it.each(accepted)("is drawn as it is stored: %s", (_, ...patch) => {
    expect(stores(patch)).toBeDefined();
    expect(comparable(draws(patch))).toEqual(comparable(stores(patch)));
  });
});

const refused: [what: string, ...patch: unknown[]][] = [
  ["no operation", 5],
  ["an operation that is not offered", { op: "test", path: "/enabled", value: true }],
  ["an inherited name as the operation", { op: "toString", path: "/enabled", value: true }],
  ["no path", { op: "remove" }],
  ["a path that is no pointer", { op: "remove", path: "variants/blue" }],
  ["a path to a forbidden name", { op: "add", path: "/targeting/__proto__", value: {} }],
  ["no value", { op: "add", path: "/targeting" }],
  ["no source", { op: "copy", path: "/targeting" }],
  ["a source that is no pointer", { op: "move", from: "targeting", path: "/targeting" }],
];

describe("a patch that the API cannot read", () => {
  it.each(refused)("is not drawn: %s", (_, ...patch) => {
    expect(jsonPatchSchema.safeParse(patch).success).toBe(false);
    expect(draws(patch)).toBeUndefined();
  });
});

const pointer = fc.constantFrom(
  ...["", "/enabled", "/variants", "/variants/blue", "/variants/red", "/variants/blue/weight"],
  ...["/variants/green/overrides/0/values/-", "/variants/blue/payload", "/variants/blue/stickiness"],
  ...["/strategies", "/strategies/gradual", "/strategies/all", "/strategies/gradual/parameters"],
  ...[
    "/strategies/gradual/constraints",
    "/strategies/gradual/constraints/0/values",
    "/strategies/gradual/title",
  ],
  ...["/strategies/gradual/variants", "/strategies/gradual/variants/old", "/dependencies", "/targeting"],
  ...["/none", "/variants/~2", "no pointer", "/constructor"],
);
const pieces = accepted.flatMap(([, ...patch]) =>
  patch.flatMap((one) => ("value" in one ? [one.value] : [])),
);
const operation = fc.record(
  {
    op: fc.constantFrom("add", "remove", "replace", "copy", "move", "test"),
    path: pointer,
    from: pointer,
    value: fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...pieces) }, { weight: 1, arbitrary: json }),
  },
  { requiredKeys: ["op", "path"] },
);

itProp([fc.array(operation, { minLength: 1, maxLength: 3 })], { numRuns: 2000 })(
  "the page draws any patch that the API accepts, and none that it cannot read",
  (patch) => {
    const after = stores(patch);
    if (!jsonPatchSchema.safeParse(patch).success) expect(draws(patch)).toBeUndefined();
    else if (after !== undefined) expect(comparable(draws(patch))).toEqual(comparable(after));
  },
);
