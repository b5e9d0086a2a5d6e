import fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { isPointer, parsePointer } from "../../../lib/contract/json-pointer.ts";
import { limits } from "../../../lib/contract/limits.ts";
import { updateTagsSchema } from "../../../lib/contract/tags.ts";
import { summarize, toIssue, validate } from "../../../lib/contract/validate.ts";
import { times } from "../../support/patching.ts";

describe("a value against a schema", () => {
  const schema = z.strictObject({ count: z.int(), name: z.string(), kind: z.enum(["a", "b"]) });

  it("is what the schema makes of it", () => {
    const value = { count: 1, name: "x", kind: "a" };

    expect(validate(schema, value)).toStrictEqual({ value });
  });

  it("has each issue reported in plain words", () => {
    expect(validate(schema, { count: 1.5, name: 2, kind: "c", more: 1 }).issues).toEqual([
      { path: "/count", message: "must be an integer" },
      { path: "/name", message: "must be a string" },
      { path: "/kind", message: "must be one of a, b" },
      { path: "/more", message: "is not a known member" },
    ]);
  });

  it("has each member with a forbidden name reported", () => {
    const byName = z.record(z.string().check(z.maxLength(3, "has a name that is too long")), z.int());

    expect(validate(byName, { one: 1, three: 3 }).issues).toEqual([
      { path: "/three", message: "has a name that is too long" },
    ]);
    expect(validate(byName, 1).issues).toEqual([{ path: "", message: "must be an object" }]);
  });

  it("is required where there is none", () => {
    expect(validate(schema, undefined).issues).toEqual([{ path: "", message: "is required" }]);
  });

  it("has no more issues reported than the limit", () => {
    const members = Object.fromEntries(times(50_000, (index) => [`x${index}`, 1]));

    const { issues } = validate(schema, members);

    expect(issues).toHaveLength(limits.issues);
  });
});

describe("the place of a fault", () => {
  it.each([
    ["the whole", [], ""],
    ["members and elements", ["addedTags", 0, "value"], "/addedTags/0/value"],
    ["names that a pointer escapes", ["a/b", "m~n", ""], "/a~1b/m~0n/"],
  ])("is a JSON Pointer: %s", (_, place, path) => {
    expect(toIssue(place, "is wrong")).toEqual({ path, message: "is wrong" });
  });

  it("ends at an ancestor where its names are too long to send", () => {
    const long = "x".repeat(limits.pointerLength);

    expect(toIssue(["addedTags", 0, long], "is wrong").path).toBe("/addedTags/0");
    expect(toIssue(["addedTags", long, 0], "is wrong").path).toBe("/addedTags");
    expect(toIssue([long], "is wrong").path).toBe("");
    expect(toIssue([long.slice(1)], "is wrong").path).toBe(`/${long.slice(1)}`);
  });

  it("counts what the pointer escapes", () => {
    const tildes = "~".repeat(limits.pointerLength / 2);

    expect(toIssue([tildes], "is wrong").path).toBe("");
    expect(toIssue([tildes.slice(1)], "is wrong").path).toBe(`/${"~0".repeat(tildes.length - 1)}`);
  });

  it("is for any names a pointer within the limit, to the fault or to what holds it", () => {
    const name = fc.oneof(
      fc.string(),
      fc.string({ minLength: 90, maxLength: 200 }),
      fc.constant("~".repeat(150)),
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(name, fc.nat())), (place) => {
        const { path } = toIssue(place, "is wrong");

        const tokens = parsePointer(path);
        expect(isPointer(path)).toBe(true);
        expect(path.length).toBeLessThanOrEqual(limits.pointerLength);
        expect(tokens).toEqual(place.slice(0, tokens.length).map(String));
      }),
    );
  });

  it("keeps an answer small, whatever the names of a body are", () => {
    const long = "x".repeat(2_000);
    const tag = Object.fromEntries(times(120, (index) => [`${long}${index}`, 1]));

    const { issues } = validate(updateTagsSchema, { addedTags: [tag], removedTags: [tag], [long]: 1 });

    expect(JSON.stringify(issues).length).toBeLessThan(10_000);
    expect(issues).toContainEqual({ path: "/addedTags/0", message: "is not a known member" });
  });
});

describe("faults in one sentence", () => {
  it.each([
    ["none", [], ""],
    ["one", [{ path: "/a", message: "is required" }], "/a is required"],
    ["one of the whole", [{ path: "", message: "must be a list" }], "it must be a list"],
    [
      "several",
      [
        { path: "/a", message: "is required" },
        { path: "/b", message: "is required" },
        { path: "/c", message: "is required" },
      ],
      "/a is required (and 2 more)",
    ],
  ])("names the first: %s", (_, issues, sentence) => {
    expect(summarize(issues)).toBe(sentence);
  });
});
