/** What is a JSON Pointer at all: patch.test.ts */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatPointer, isPointer, parsePointer } from "../../../lib/contract/json-pointer.ts";
import { itProp } from "../../support/property.ts";

describe("a JSON Pointer (RFC 6901)", () => {
  it.each([
    ["", []],
    ["/", [""]],
    ["/foo/0", ["foo", "0"]],
    ["/a~1b", ["a/b"]],
    ["/m~0n", ["m~n"]],
    ["/~01", ["~1"]],
    ["/ ", [" "]],
  ])("%j stands for the tokens %j", (text, tokens) => {
    expect([isPointer(text), parsePointer(text)]).toEqual([true, tokens]);
  });

  itProp([fc.array(fc.string({ unit: "binary" }))])("comes back from any tokens", (tokens) => {
    const text = formatPointer(tokens);

    expect([isPointer(text), parsePointer(text)]).toEqual([true, tokens]);
  });
});
