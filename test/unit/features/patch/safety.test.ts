/** What holds for any patch of any tree. What operations do: conformance.test.ts */
import fc from "fast-check";
import { describe, expect } from "vitest";
import { ValidationError } from "../../../../lib/contract/errors.ts";
import type { Json } from "../../../../lib/contract/json.ts";
import { formatPointer } from "../../../../lib/contract/json.ts";
import { jsonPatchSchema, type Patch, type PatchOperation } from "../../../../lib/contract/patch.ts";
import { validate } from "../../../../lib/contract/validate.ts";
import { applyPatch } from "../../../../lib/features/patch/apply-patch.ts";
import { member, tree, value } from "../../../support/arbitraries.ts";
import { copy, patched } from "../../../support/patching.ts";
import { itProp } from "../../../support/property.ts";

/** Short paths of few tokens, so that many lead somewhere. */
const token = fc.oneof(
  { arbitrary: fc.constantFrom("a", "b", "0", "1", "-"), weight: 8 },
  { arbitrary: member, weight: 1 },
);
const path = fc.array(token, { maxLength: 3 }).map(formatPointer);
const plain = { noNullPrototype: true };
const operation: fc.Arbitrary<PatchOperation> = fc.oneof(
  fc.record({ op: fc.constantFrom("add", "replace"), path, value }, plain),
  fc.record({ op: fc.constant("remove"), path }, plain),
  fc.record({ op: fc.constantFrom("copy", "move"), from: path, path }, plain),
);
const patchCase = fc.record({ target: tree, patch: fc.array(operation, { maxLength: 6 }) }, plain);

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

describe("any patch of any tree", () => {
  itProp([patchCase], { numRuns: 2000 })(
    "gives JSON, or fails at one of its operations, and changes neither tree nor patch",
    (drawn) => {
      const { target, patch } = structuredClone(drawn);

      const result = attempt(target, patch);

      if ("result" in result) expect(JSON.parse(JSON.stringify(result.result))).toStrictEqual(result.result);
      else expect(result.failedAt).toBeLessThan(patch.length);
      expect(JSON.stringify({ target, patch })).toBe(JSON.stringify(drawn));
    },
  );

  itProp([tree, fc.array(anyOperation, { maxLength: 4 })], { numRuns: 500 })(
    "is refused by the schema or applied, however ill-formed it is; never another error",
    (target, patch) => {
      const { value: accepted, issues } = validate(jsonPatchSchema, structuredClone(patch));

      if (accepted) attempt(target, accepted);
      else expect(issues.length).toBeGreaterThan(0);
    },
  );

  itProp([patchCase], { numRuns: 300 })(
    "gives equal documents equal results that share nothing, with one another or with the patch",
    (drawn) => {
      const { target, patch } = structuredClone(drawn);
      const before = JSON.stringify({ target, patch });
      const first = attempt(target, patch);
      const second = attempt(structuredClone(target), patch);
      fc.pre("result" in first && "result" in second);
      const expected = JSON.stringify(second);
      expect(JSON.stringify(first)).toBe(expected);

      wreck(first.result);

      expect(JSON.stringify(second)).toBe(expected);
      expect(JSON.stringify({ target, patch })).toBe(before);
      expect(JSON.stringify(attempt(target, patch))).toBe(expected);
    },
  );

  itProp([value])("keeps copies apart within one result too", (drawn) => {
    const [first, second] = patched([structuredClone(drawn)], copy("/0", "/1")) as [Json, Json];

    wreck(first);

    expect(second).toStrictEqual(drawn);
  });
});

function attempt(target: Json, patch: Patch): { result: Json } | { failedAt: number } {
  try {
    return { result: applyPatch(target, patch).patched };
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error;
    return { failedAt: Number(/^operation (\d+) /.exec(error.message)?.[1]) };
  }
}

/** Changes every list and object in a value. */
function wreck(content: Json): void {
  if (typeof content !== "object" || content === null) return;
  for (const inner of Object.values(content)) wreck(inner);
  if (Array.isArray(content)) content.push("wrecked");
  else content.wrecked = true;
}
