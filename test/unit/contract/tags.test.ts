/** The tag updates that the contract accepts. */
import { describe, expect, it } from "vitest";
import { updateTagsSchema } from "../../../lib/contract/tags.ts";
import { validate } from "../../../lib/contract/validate.ts";
import { sameIssueAt } from "../../support/answers.ts";
import { times } from "../../support/patching.ts";
import { tag } from "../../support/seed.ts";

const team = tag("team-a");
const issuesOf = (body: unknown) => validate(updateTagsSchema, body).issues;
const length = "must have 2 to 50 characters";

describe("the body of a tag update", () => {
  it("is two lists of tags, either of which may be empty", () => {
    const body = { addedTags: [team], removedTags: [] };

    expect(validate(updateTagsSchema, body)).toEqual({ value: body });
    expect(issuesOf({ addedTags: [], removedTags: [] })).toBeUndefined();
  });

  it("has every issue reported with its place", () => {
    const issues = issuesOf({
      addedTags: [
        { value: 12, type: "x" },
        { value: null, type: true },
        {},
        null,
        "team-a",
        ["simple", "team-a"],
        { ...team, colour: "red" },
      ],
      removedTags: team,
      comment: "x",
    });

    expect(issues).toEqual([
      ...sameIssueAt("is not a known member", "/addedTags/6/colour", "/comment"),
      ...sameIssueAt("must be a string", "/addedTags/0/value"),
      ...sameIssueAt(length, "/addedTags/0/type"),
      ...sameIssueAt("must be a string", "/addedTags/1/value", "/addedTags/1/type"),
      ...sameIssueAt("is required", "/addedTags/2/value", "/addedTags/2/type"),
      ...sameIssueAt("must be an object", "/addedTags/3", "/addedTags/4", "/addedTags/5"),
      ...sameIssueAt("must be a list", "/removedTags"),
    ]);
  });
});

it.each([
  ["two letters", true, "ab"],
  ["two emoji", true, "😀😀"],
  ["fifty emoji, which are a hundred UTF-16 units", true, "😀".repeat(50)],
  ["two spaces, as nothing is trimmed", true, "  "],
  ["one letter", false, "a"],
  ["one emoji, which is two UTF-16 units", false, "😀"],
  ["fifty-one letters", false, "a".repeat(51)],
  ["fifty-one emoji", false, "😀".repeat(51)],
])("whether the value and the type of a tag, in either list, may be %s: %s", (_, isAccepted, text) => {
  const tags = [tag(text, text)];
  const places = ["/addedTags/0/value", "/addedTags/0/type", "/removedTags/0/value", "/removedTags/0/type"];

  expect(issuesOf({ addedTags: tags, removedTags: tags })).toEqual(
    isAccepted ? undefined : sameIssueAt(length, ...places),
  );
});

it("a list may have a hundred tags, and is not validated further if it has more", () => {
  const list = times(100, (index) => tag(`team-${index}`));

  expect(issuesOf({ addedTags: list, removedTags: list })).toBeUndefined();
  expect(issuesOf({ addedTags: times(101, () => 1), removedTags: times(101, () => team) })).toEqual(
    sameIssueAt("must have at most 100 tags", "/addedTags", "/removedTags"),
  );
});
