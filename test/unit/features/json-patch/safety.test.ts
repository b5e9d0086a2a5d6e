import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ValidationError } from "../../../../lib/contract/errors.ts";
import { patchesSchema } from "../../../../lib/contract/patch.ts";
import { validate } from "../../../../lib/contract/validate.ts";
import { applyPatch } from "../../../../lib/features/json-patch/apply.ts";
import type { Json } from "../../../../lib/features/json-patch/json.ts";
import { document, value } from "../../../support/arbitraries.ts";
import { patchCase } from "../../../support/patch-arbitraries.ts";

const op = fc.constantFrom("add", "remove", "replace", "copy", "move", "test", "toString");
const pointer = fc.oneof(
  fc.constantFrom("", "/", "/-", "/0", "/0/a", "/a", "/length", "a", "/~2", "/__proto__/a", "/constructor"),
  fc.string({ maxLength: 6 }),
);
/** Often ill-formed: any member may be missing, or of another type. */
const anyOperation = fc.record(
  { op, path: fc.oneof(pointer, value), from: fc.oneof(pointer, value), value },
  { requiredKeys: ["op"], noNullPrototype: true },
);

describe("any patch of any document", () => {
  it("ends in JSON or in a ValidationError, and changes neither the document nor the patch", () => {
    fc.assert(
      fc.property(patchCase, (drawn) => {
        const { target, patch } = structuredClone(drawn);
        const before = JSON.stringify({ target, patch });

        const result = attempt(() => applyPatch(target, patch));

        if (!(result instanceof ValidationError))
          expect(JSON.parse(JSON.stringify(result))).toStrictEqual(result);
        expect(JSON.stringify({ target, patch })).toBe(before);
      }),
      { numRuns: 500 },
    );
  });

  it("is refused by the schema or applied, however ill-formed it is; never another error", () => {
    fc.assert(
      fc.property(document, fc.array(anyOperation, { maxLength: 4 }), (target, patch) => {
        const { value: accepted, issues } = validate(patchesSchema, structuredClone(patch));

        if (accepted) attempt(() => applyPatch(target, accepted));
        else expect(issues.length).toBeGreaterThan(0);
      }),
      { numRuns: 500 },
    );
  });

  it("gives equal documents equal results that share nothing, with one another or with the patch", () => {
    fc.assert(
      fc.property(patchCase, (drawn) => {
        const { target, patch } = structuredClone(drawn);
        const twin = structuredClone(target);
        const before = JSON.stringify({ target, patch });
        const first = attempt(() => applyPatch(target, patch));
        const second = attempt(() => applyPatch(twin, patch));
        fc.pre(!(first instanceof ValidationError) && !(second instanceof ValidationError));
        const expected = JSON.stringify(second);
        expect(JSON.stringify(first)).toBe(expected);

        wreck(first);

        expect(JSON.stringify(second)).toBe(expected);
        expect(JSON.stringify({ target, patch })).toBe(before);
        expect(JSON.stringify(applyPatch(target, patch))).toBe(expected);
      }),
      { numRuns: 300 },
    );
  });

  it("keeps copies apart within one result too", () => {
    fc.assert(
      fc.property(value, (drawn) => {
        const content = structuredClone(drawn);
        const [first, second] = applyPatch([content], [{ op: "copy", from: "/0", path: "/1" }]) as [
          Json,
          Json,
        ];

        wreck(first);

        expect(second).toStrictEqual(drawn);
      }),
    );
  });
});

function attempt<Result>(run: () => Result): Result | ValidationError {
  try {
    return run();
  } catch (error) {
    if (error instanceof ValidationError) return error;
    throw error;
  }
}

/** Changes every list and object in a value. */
function wreck(content: Json): void {
  if (typeof content !== "object" || content === null) return;
  for (const inner of Object.values(content)) wreck(inner);
  if (Array.isArray(content)) content.push("wrecked");
  else content.wrecked = true;
}
