/** Which texts are JSON Pointers: patch.test.ts. What they lead to: ../features/json-patch/operations.test.ts */
import fc from "fast-check";
import { expect } from "vitest";
import { formatPointer, isPointer, parsePointer } from "../../../lib/contract/json-pointer.ts";
import { itProp } from "../../support/property.ts";

itProp([fc.array(fc.string({ unit: "binary" }))])("a JSON Pointer comes back from any tokens", (tokens) => {
  const text = formatPointer(tokens);

  expect([isPointer(text), parsePointer(text)]).toEqual([true, tokens]);
});
