/** A name that the page sends is one that the API accepts, and the page refuses no other. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { nameIssue } from "../../../../infra/clients/api/name-issue.ts";
import { urlFriendlyNameSchema } from "../../../../lib/contract/names.ts";
import { wellFormed } from "../../../support/arbitraries.ts";
import { itProp } from "../../../support/property.ts";

const issueOfApi = (name: string) => urlFriendlyNameSchema.safeParse(name).error?.issues[0]?.message ?? "";

it.each([
  "",
  ".",
  "..",
  "...",
  "a".repeat(100),
  "a".repeat(101),
  "ü",
  "a b",
  "it's-(one)!*~_",
  "\u{1f600}".repeat(60),
])("has the issue that the API has: %s", (name) => {
  expect(nameIssue(name)).toBe(issueOfApi(name));
});

const name = fc.oneof(fc.string({ unit: fc.constantFrom(..."aZ0.~*'()!-_/ é"), maxLength: 5 }), wellFormed());

itProp([name])("any text is a name for both, or for neither", (text) => {
  expect(nameIssue(text)).toBe(issueOfApi(text));
});
