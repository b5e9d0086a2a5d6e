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

  it.each([null, [], "{}", 1, true])("is not %j", (body) => {
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

  it.each([12, true, null, ["team-a"], {}])("does not convert %j to text", (value) => {
    expect(faultsOf({ addedTags: [{ ...tag, value }], removedTags: [{ ...tag, type: value }] })).toEqual([
      { path: "/addedTags/0/value", message: "must be a string" },
      { path: "/removedTags/0/type", message: "must be a string" },
    ]);
  });
});

describe("the value and the type of a tag", () => {
  const everywhere = [
    "/addedTags/0/value",
    "/addedTags/0/type",
    "/removedTags/0/value",
    "/removedTags/0/type",
  ];

  it.each([
    ["two letters", true, "ab"],
    ["fifty letters", true, "a".repeat(50)],
    ["two emoji", true, "😀😀"],
    ["fifty emoji, which are a hundred UTF-16 units", true, "😀".repeat(50)],
    ["two spaces, as nothing is trimmed", true, "  "],
    ["nothing", false, ""],
    ["one letter", false, "a"],
    ["one emoji, which is two UTF-16 units", false, "😀"],
    ["fifty-one letters", false, "a".repeat(51)],
    ["fifty-one emoji", false, "😀".repeat(51)],
    ["200,000 letters", false, "a".repeat(200_000)],
  ])("of %s: accepted %s, in either list", (_, isAccepted, text) => {
    const tags = [{ value: text, type: text }];
    const issues = everywhere.map((path) => ({ path, message: length }));

    expect(faultsOf({ addedTags: tags, removedTags: tags })).toEqual(isAccepted ? undefined : issues);
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
