import { describe, expect, it } from "vitest";
import { updateTagsSchema } from "../../../lib/contract/tags.ts";
import { validate } from "../../../lib/contract/validate.ts";
import { times } from "../../support/patching.ts";

const tag = { value: "team-a", type: "simple" };
const faultsOf = (body: unknown) => validate(updateTagsSchema, body).issues;
const length = "must have 2 to 50 characters";

describe("the body of a tag update", () => {
  it("is two lists of tags, either of which may be empty", () => {
    const body = { addedTags: [tag], removedTags: [] };

    expect(validate(updateTagsSchema, body)).toEqual({ value: body });
    expect(validate(updateTagsSchema, { addedTags: [], removedTags: [] }).issues).toBeUndefined();
  });

  it.each([
    ["null", null],
    ["a list", []],
    ["text", "{}"],
    ["a number", 1],
    ["a boolean", true],
  ])("is not %s", (_, body) => {
    expect(faultsOf(body)).toEqual([{ path: "", message: "must be an object" }]);
  });

  it("needs both lists", () => {
    expect(faultsOf({})).toEqual([
      { path: "/addedTags", message: "is required" },
      { path: "/removedTags", message: "is required" },
    ]);
  });

  it("has every issue reported with its place", () => {
    const issues = faultsOf({
      addedTags: [{ value: 12, type: "x" }, {}, null, "team-a", ["simple", "team-a"]],
      removedTags: { value: "team-a", type: "simple" },
      comment: "x",
    });

    expect(issues).toEqual([
      { path: "/addedTags/0/value", message: "must be a string" },
      { path: "/addedTags/0/type", message: length },
      { path: "/addedTags/1/value", message: "is required" },
      { path: "/addedTags/1/type", message: "is required" },
      { path: "/addedTags/2", message: "must be an object" },
      { path: "/addedTags/3", message: "must be an object" },
      { path: "/addedTags/4", message: "must be an object" },
      { path: "/removedTags", message: "must be a list" },
      { path: "/comment", message: "is not a known member" },
    ]);
  });

  it("names each unknown member, beside other issues of the same tag", () => {
    expect(
      faultsOf({ addedTags: [{ value: "a", type: "simple", Value: 1, "a/b~": 2 }], removedTags: [] }),
    ).toEqual([
      { path: "/addedTags/0/value", message: length },
      { path: "/addedTags/0/Value", message: "is not a known member" },
      { path: "/addedTags/0/a~1b~0", message: "is not a known member" },
    ]);
  });

  it.each([null, "#ff0000", 1, { r: 1 }, undefined])(
    "drops the color that newer Unleash versions list: %j",
    (color) => {
      const { value } = validate(updateTagsSchema, {
        addedTags: [{ ...tag, color }],
        removedTags: [{ ...tag, color }],
      });

      expect(value).toStrictEqual({ addedTags: [tag], removedTags: [tag] });
    },
  );

  it.each([
    ["a number", 12],
    ["a boolean", true],
    ["null", null],
    ["a list", ["team-a"]],
    ["an object", {}],
  ])("does not convert %s to text", (_, value) => {
    expect(faultsOf({ addedTags: [{ ...tag, value }], removedTags: [{ ...tag, type: value }] })).toEqual([
      { path: "/addedTags/0/value", message: "must be a string" },
      { path: "/removedTags/0/type", message: "must be a string" },
    ]);
  });
});

describe("the length of a tag's value and type", () => {
  it.each([
    ["two letters", "ab"],
    ["fifty letters", "a".repeat(50)],
    ["two emoji", "😀😀"],
    ["fifty emoji, which are a hundred UTF-16 units", "😀".repeat(50)],
    ["two spaces, as nothing is trimmed", "  "],
  ])("may be %s", (_, value) => {
    expect(
      faultsOf({ addedTags: [{ value, type: value }], removedTags: [{ value, type: value }] }),
    ).toBeUndefined();
  });

  it.each([
    ["nothing", ""],
    ["one letter", "a"],
    ["one emoji, which is two UTF-16 units", "😀"],
    ["fifty-one letters", "a".repeat(51)],
    ["fifty-one emoji", "😀".repeat(51)],
    ["200,000 letters", "a".repeat(200_000)],
  ])("may not be %s, in either list", (_, value) => {
    expect(faultsOf({ addedTags: [{ value, type: value }], removedTags: [{ value, type: value }] })).toEqual([
      { path: "/addedTags/0/value", message: length },
      { path: "/addedTags/0/type", message: length },
      { path: "/removedTags/0/value", message: length },
      { path: "/removedTags/0/type", message: length },
    ]);
  });
});

describe("a list of tags", () => {
  it("may have a hundred", () => {
    const list = times(100, (index) => ({ ...tag, value: `team-${index}` }));

    expect(validate(updateTagsSchema, { addedTags: list, removedTags: list }).issues).toBeUndefined();
  });

  it("may not have more, and is not looked into then", () => {
    expect(faultsOf({ addedTags: times(101, () => 1), removedTags: times(101, () => tag) })).toEqual([
      { path: "/addedTags", message: "must have at most 100 tags" },
      { path: "/removedTags", message: "must have at most 100 tags" },
    ]);
  });
});
