import { describe, expect, it } from "vitest";
import { ValidationError } from "../../../../lib/contract/errors.ts";
import { add, copy, move, patched, refusal, remove, replace } from "../../../support/patching.ts";

describe("a refused patch", () => {
  it("is a ValidationError", () => {
    expect(() => patched([], remove("/0"))).toThrow(
      new ValidationError("operation 0 (remove /0): index 0 is out of range: the list has 0 elements"),
    );
  });

  it.each([
    [add("/a", 1), 'operation 1 (add /a): "a" is not an index of a list'],
    [remove("/0/a/b"), 'operation 1 (remove /0/a/b): there is no member "a"'],
    [replace("/2", 1), "operation 1 (replace /2): index 2 is out of range: the list has 1 element"],
    [copy("/0/a", "/-"), 'operation 1 (copy /0/a to /-): there is no member "a"'],
    [move("", "/-"), 'operation 1 (move "" to /-): a value cannot be moved into itself'],
  ])("names the operation's index, op and path: %j", (operation, message) => {
    expect(refusal([], add("/-", {}), operation)).toBe(message);
  });

  it("ends at the first operation that fails", () => {
    expect(refusal([], remove("/1"), remove("/2"))).toMatch(/^operation 0 \(remove \/1\)/);
  });

  it("names what is missing on the way, not the last token", () => {
    expect(refusal({ b: 1 }, add("/a/b", 1))).toBe('operation 0 (add /a/b): there is no member "a"');
  });

  it("stays short, however long the path and the names in it are", () => {
    const long = `/${"x".repeat(100_000)}`;

    expect(refusal({}, remove(long)).length).toBeLessThan(300);
    expect(refusal([], remove(long)).length).toBeLessThan(300);
    expect(refusal([1], remove(`/0${long}`)).length).toBeLessThan(300);
    expect(refusal({}, copy(long, long)).length).toBeLessThan(500);
  });

  it("tells the beginning of a path longer than 120 characters, and of a name longer than 60", () => {
    const name = "n".repeat(60);
    const path = `/${name}/${"p".repeat(58)}`;

    expect(refusal({}, remove(path))).toBe(`operation 0 (remove ${path}): there is no member "${name}"`);
    expect(refusal({}, remove(`/n${path}`))).toBe(
      `operation 0 (remove ${`/n${path}`.slice(0, 120)}...): there is no member "n"`,
    );
    expect(refusal({}, remove(`/n${name}`))).toBe(
      `operation 0 (remove /n${name}): there is no member "n${name.slice(0, 59)}..."`,
    );
  });
});

describe("an error of ours", () => {
  it("is not told as the caller's", () => {
    const unchecked = { op: "remove", path: 5 as unknown as string } as const;

    expect(() => patched([], unchecked)).toThrow(TypeError);
  });
});
