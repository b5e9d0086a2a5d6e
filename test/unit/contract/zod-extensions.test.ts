/** Bodies made to exhaust by their issues: refused without a stack overflow. */
import { expect, it } from "vitest";
import * as z from "zod/mini";
import { stateSchema } from "../../../infra/state/state.ts";
import { limits } from "../../../lib/contract/limits.ts";
import { patchesSchema } from "../../../lib/contract/patch.ts";
import { updateTagsSchema } from "../../../lib/contract/tags.ts";
import { validate } from "../../../lib/contract/validate.ts";
import { variantListSchema } from "../../../lib/contract/variants.ts";
import { listOfAtMost } from "../../../lib/contract/zod-extensions.ts";
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
])("200,000 invalid elements are refused in less than a second: %s", (_, schema, body) => {
  const { issues = [] } = validate(schema, body);

  expect(issues.length).toBeGreaterThan(0);
  expect(issues.length).toBeLessThanOrEqual(limits.issues);
  expect(milliseconds(() => validate(schema, body), 1000)).toBeLessThanOrEqual(1000);
});

it("a short list may have as many elements as it says", () => {
  const things = listOfAtMost(z.number(), 2, "things");

  expect(validate(things, [1, 2])).toEqual({ value: [1, 2] });
  expect(validate(things, [1, "a"]).issues).toEqual(issuesAt("must be a number", "/1"));
  expect(validate(things, [1, 2, 3]).issues).toEqual(issuesAt("must have at most 2 things", ""));
});
