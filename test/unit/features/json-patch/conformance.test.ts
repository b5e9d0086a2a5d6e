/** The public test suite of RFC 6902, against the schema and the engine together. */
import specTests from "json-patch-test-suite/spec_tests.json" with { type: "json" };
import tests from "json-patch-test-suite/tests.json" with { type: "json" };
import { describe, expect, it } from "vitest";
import { ValidationError } from "../../../../lib/contract/errors.ts";
import { type Patch, patchesSchema } from "../../../../lib/contract/patch.ts";
import { validate } from "../../../../lib/contract/validate.ts";
import { applyPatch } from "../../../../lib/features/json-patch/apply.ts";
import type { Json } from "../../../../lib/features/json-patch/json.ts";

interface Case {
  comment?: string;
  doc: Json;
  patch: { op?: string; path?: string }[];
  /** Absent in a few that only must not fail. */
  expected?: Json;
  error?: string;
  disabled?: boolean;
}

const cases = [...tests, ...specTests] as unknown as Case[];
const enabled = cases.filter(({ disabled }) => !disabled);
const withTest = enabled.filter(({ patch }) => patch.some(({ op }) => op === "test"));
const withoutTest = enabled.filter((given) => !withTest.includes(given));
const illFormed = withoutTest.filter(({ patch }) => validate(patchesSchema, patch).issues);
const failing = withoutTest.filter((given) => given.error !== undefined && !illFormed.includes(given));
const succeeding = withoutTest.filter(({ error }) => error === undefined);
const alsoMet = withTest.filter(({ error }) => error === undefined);

describe("the JSON Patch test suite", () => {
  it("has 95 cases: 4 disabled, 16 with the test operation, and 75 that are met in one of three ways", () => {
    expect([cases.length, cases.length - enabled.length, withTest.length]).toEqual([95, 4, 16]);
    expect([succeeding.length, failing.length, illFormed.length]).toEqual([58, 12, 5]);
  });

  it.each([...succeeding, ...alsoMet].map(titled))(
    "%s: comes, without its test operations, to the document expected",
    (_, { doc, patch, expected }) => {
      const result = applyPatch(doc, accepted(patch.filter(({ op }) => op !== "test")));

      if (expected === undefined) expect(result).toBeDefined();
      else expect(result).toStrictEqual(expected);
    },
  );

  it.each(failing.map(titled))("%s: fails", (_, { doc, patch }) => {
    expect(() => applyPatch(doc, accepted(patch))).toThrow(ValidationError);
  });

  it.each(illFormed.map(titled))("%s: is refused before any document is looked at", (_, { patch, error }) => {
    expect(error).toBeDefined();
    expect(validate(patchesSchema, patch).issues).toHaveLength(1);
  });

  it.each(withTest.map(titled))("%s: is refused for its test operation", (_, { patch }) => {
    const message = "must be one of add, remove, replace, copy, move";
    const refused = patch.flatMap(({ op }, at) => (op === "test" ? [{ path: `/${at}/op`, message }] : []));

    expect(validate(patchesSchema, patch).issues).toEqual(expect.arrayContaining(refused));
  });
});

function titled(given: Case): [string, Case] {
  return [`${given.comment ?? given.error ?? "unnamed"} (${cases.indexOf(given)})`, given];
}

function accepted(patch: unknown): Patch {
  const { value, issues } = validate(patchesSchema, patch);
  expect(issues).toBeUndefined();
  return value ?? [];
}
