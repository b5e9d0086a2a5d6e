/** Bodies made to exhaust their validation. */
import { expect, it } from "vitest";
import * as z from "zod/mini";
import { limits } from "../../../lib/contract/limits.ts";
import { updateTagsSchema } from "../../../lib/contract/tags.ts";
import { validate } from "../../../lib/contract/validate.ts";
import { variantListSchema } from "../../../lib/contract/variants.ts";
import { milliseconds } from "../../support/cost.ts";
import { times } from "../../support/patching.ts";

it("200,000 issues are refused in less than a second, although Zod spreads them on the stack", () => {
  const many = times(200_000, () => 1);
  const overriding = { name: "a", weight: 0, overrides: many };

  for (const [schema, body] of [
    [updateTagsSchema, { addedTags: many, removedTags: many }],
    [variantListSchema, [overriding, overriding]],
    [z.object({ list: z.array(z.string()) }), { list: many }],
  ] as const) {
    const { issues = [] } = validate<unknown>(schema, body);
    expect([0 < issues.length, issues.length <= limits.issues]).toEqual([true, true]);
    expect(milliseconds(() => validate<unknown>(schema, body), 1000)).toBeLessThanOrEqual(1000);
  }
});
