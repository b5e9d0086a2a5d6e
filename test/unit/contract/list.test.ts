/** Bodies made to exhaust by their faults: refused within the time of a good one, and without a stack overflow. */
import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { $ZodAsyncError } from "zod/v4/core";
import { stateSchema } from "../../../infra/state/state.ts";
import { check } from "../../../lib/contract/check.ts";
import { limits } from "../../../lib/contract/limits.ts";
import { list, shortList } from "../../../lib/contract/list.ts";
import { patchesSchema } from "../../../lib/contract/patch.ts";
import { updateTagsSchema } from "../../../lib/contract/tags.ts";
import { variantListSchema } from "../../../lib/contract/variants.ts";
import { milliseconds } from "../../support/cost.ts";
import { times } from "../../support/patching.ts";

const many = times(200_000, () => 1);
const manyTexts = times(200_000, () => "");
const variant = { name: "a", weight: 0 };
const override = { contextName: "userId", values: manyTexts };

describe("200,000 faulty elements", () => {
  it.each<[string, z.ZodMiniType, unknown]>([
    ["operations", patchesSchema, many],
    ["operations, each ill-formed", patchesSchema, times(1000, () => ({ op: "copy" }))],
    ["tags", updateTagsSchema, { addedTags: many, removedTags: many }],
    ["variants", variantListSchema, many],
    ["variants with a name twice", variantListSchema, times(20_000, () => variant)],
    ["overrides", variantListSchema, [{ ...variant, overrides: many }]],
    [
      "values of overrides",
      variantListSchema,
      times(3, () => ({ ...variant, overrides: [override, override] })),
    ],
    ["projects", stateSchema, { projects: many }],
    ["environments of a project", stateSchema, { projects: [{ id: "a", environments: many }] }],
    ["features", stateSchema, { features: many }],
    ["tags of a feature", stateSchema, { features: [{ name: "a", project: "b", tags: many }] }],
    ["API keys", stateSchema, { apiKeys: many }],
    ["permissions", stateSchema, { apiKeys: [{ name: "a", key: "k".repeat(16), permissions: many }] }],
  ])("are refused fast, and told of no more than are looked for: %s", (_, schema, body) => {
    const { faults = [] } = check(schema, body);

    expect(faults.length).toBeGreaterThan(0);
    expect(faults.length).toBeLessThanOrEqual(limits.faults);
    expect(milliseconds(() => check(schema, body))).toBeLessThan(100);
  });
});

describe("a list", () => {
  const numbers = list(z.number());

  it("is its elements, each as its schema makes it", () => {
    const doubled = list(
      z.pipe(
        z.number(),
        z.transform((value) => 2 * value),
      ),
    );

    expect(check(doubled, [1, 2])).toEqual({ value: [2, 4] });
    expect(check(numbers, [])).toEqual({ value: [] });
  });

  it.each([null, {}, "[]", 1, new Set([1]), { length: 0 }])("is not %j", (input) => {
    expect(check(numbers, input).faults).toEqual([{ path: "", message: "must be a list" }]);
  });

  it("has a hole where an element is required", () => {
    expect(check(numbers, new Array(1)).faults).toEqual([{ path: "/0", message: "is required" }]);
  });

  it("is told the places of its faults, through other lists", () => {
    expect(check(list(numbers), [[1, "a"], "b", [1, [2]]]).faults).toEqual([
      { path: "/0/1", message: "must be a number" },
      { path: "/1", message: "must be a list" },
      { path: "/2/1", message: "must be a number" },
    ]);
  });

  it("is not looked into any further after as many faults as are told", () => {
    const { error } = numbers.safeParse(times(2 * limits.faults, () => "a"));

    expect(error?.issues).toHaveLength(limits.faults);
  });

  it("is checked at once or not at all", async () => {
    const slow = z.number().check(z.refine(async () => true));

    await expect(list(slow).safeParseAsync([1])).rejects.toThrow($ZodAsyncError);
  });

  it("is a list in the JSON Schema that is made of it", () => {
    expect(z.toJSONSchema(numbers)).toMatchObject({ type: "array", items: { type: "number" } });
  });
});

describe("a short list", () => {
  it("may have as many elements as it says, and is not looked into if it has more", () => {
    const things = shortList(z.number(), 2, "things");

    expect(check(things, [1, 2])).toEqual({ value: [1, 2] });
    expect(check(things, [1, "a"]).faults).toEqual([{ path: "/1", message: "must be a number" }]);
    expect(check(things, [1, "a", 3]).faults).toEqual([{ path: "", message: "must have at most 2 things" }]);
  });
});
