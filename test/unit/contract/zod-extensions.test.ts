/** Bodies made to exhaust by their issues: refused within the time of a good one, and without a stack overflow. */
import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { stateSchema } from "../../../infra/state/state.ts";
import { limits } from "../../../lib/contract/limits.ts";
import { patchesSchema } from "../../../lib/contract/patch.ts";
import { updateTagsSchema } from "../../../lib/contract/tags.ts";
import { validate } from "../../../lib/contract/validate.ts";
import { variantListSchema } from "../../../lib/contract/variants.ts";
import { list, listOfAtMost } from "../../../lib/contract/zod-extensions.ts";
import { issuesAt } from "../../support/answers.ts";
import { milliseconds } from "../../support/cost.ts";
import { times } from "../../support/patching.ts";

const many = times(200_000, () => 1);
const variant = { name: "a", weight: 0 };
const override = { contextName: "userId", values: times(200_000, () => "") };
const overriding = { ...variant, overrides: [override, override] };

it.each<[string, z.ZodMiniType, unknown]>([
  ["operations", patchesSchema, many],
  ["tags", updateTagsSchema, { addedTags: many, removedTags: many }],
  ["variants", variantListSchema, many],
  ["variants with a name twice", variantListSchema, times(10_000, () => variant)],
  ["overrides", variantListSchema, [{ ...variant, overrides: many }]],
  ["values of overrides", variantListSchema, times(3, () => overriding)],
  ["features of a state", stateSchema, { features: many }],
])("200,000 invalid elements are refused fast, and not all of them are validated: %s", (_, schema, body) => {
  const { issues = [] } = validate(schema, body);

  expect(issues.length).toBeGreaterThan(0);
  expect(issues.length).toBeLessThanOrEqual(limits.issues);
  expect(milliseconds(() => validate(schema, body), 100)).toBeLessThanOrEqual(100);
});

describe("a list", () => {
  const numbers = list(z.number());

  it("is its elements, each as its schema makes it", () => {
    const double = z.transform((value: number) => 2 * value);

    expect(validate(list(z.pipe(z.number(), double)), [1, 2])).toEqual({ value: [2, 4] });
    expect(validate(numbers, [])).toEqual({ value: [] });
  });

  it.each([null, {}, "[]", { length: 0 }])("is not %j", (input) => {
    expect(validate(numbers, input).issues).toEqual(issuesAt("must be a list", ""));
  });

  it("has its issues reported with their places, through other lists", () => {
    expect(validate(list(numbers), [[1, "a"], "b", [1, [2]]]).issues).toEqual([
      { path: "/0/1", message: "must be a number" },
      { path: "/1", message: "must be a list" },
      { path: "/2/1", message: "must be a number" },
    ]);
  });

  it("is not looked into any further after as many issues as are told", () => {
    const { error } = numbers.safeParse(times(2 * limits.issues, () => "a"));

    expect(error?.issues).toHaveLength(limits.issues);
  });

  it("is a list in the JSON Schema that is made of it", () => {
    expect(z.toJSONSchema(numbers)).toMatchObject({ type: "array", items: { type: "number" } });
  });
});

it("a short list may have as many elements as it says, and is not looked into if it has more", () => {
  const things = listOfAtMost(z.number(), 2, "things");

  expect(validate(things, [1, 2])).toEqual({ value: [1, 2] });
  expect(validate(things, [1, "a"]).issues).toEqual(issuesAt("must be a number", "/1"));
  expect(validate(things, [1, "a", 3]).issues).toEqual(issuesAt("must have at most 2 things", ""));
});
