/** The public test suite of RFC 6902, against the schema and the engine together. */
import specTests from "json-patch-test-suite/spec_tests.json" with { type: "json" };
import tests from "json-patch-test-suite/tests.json" with { type: "json" };
import { describe, expect, it } from "vitest";
import { ValidationError } from "../../../../lib/contract/errors.ts";
import type { Json } from "../../../../lib/contract/json.ts";
import { jsonPatchSchema, type Patch } from "../../../../lib/contract/patch.ts";
import { summarise, validate } from "../../../../lib/contract/validate.ts";
import { applyPatch } from "../../../../lib/features/patch/apply-patch.ts";
import { sameIssueAt } from "../../../support/answers.ts";

interface Case {
  comment?: string;
  doc: Json;
  patch: { op?: string }[];
  /** Absent in a few that only must not fail. */
  expected?: Json;
  error?: string;
  disabled?: boolean;
}

const cases = ([...tests, ...specTests] as unknown as Case[])
  .filter(({ disabled }) => !disabled)
  .map((given, at) => [`${given.comment ?? given.error ?? "unnamed"} (${at})`, given] as const);
const isTest = ({ op }: { op?: string }) => op === "test";

describe("the JSON Patch test suite", () => {
  it.each(cases.filter(([, { error, patch }]) => error === undefined || !patch.some(isTest)))(
    "%s: ends as the suite says, without its test operations",
    (_, { doc, patch, expected, error }) => {
      const apply = () => applyPatch(doc, accepted(patch.filter((operation) => !isTest(operation)))).patched;

      if (error === undefined) expect(apply()).toStrictEqual(expected ?? expect.anything());
      else expect(apply).toThrow(ValidationError);
    },
  );

  it.each(cases.filter(([, { patch }]) => patch.some(isTest)))(
    "%s: is refused for its test operation",
    (_, { patch }) => {
      const message = "must be one of add, remove, replace, copy, move";
      const places = patch.flatMap((one, at) => (isTest(one) ? [`/${at}/op`] : []));

      expect(validate(jsonPatchSchema, patch).issues).toEqual(
        expect.arrayContaining(sameIssueAt(message, ...places)),
      );
    },
  );
});

function accepted(patch: unknown): Patch {
  const { value, issues } = validate(jsonPatchSchema, patch);
  if (issues) throw new ValidationError(summarise(issues));
  return value;
}
