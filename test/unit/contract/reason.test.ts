/** The rule for the reason of a change. */
import { expect, it } from "vitest";
import { reasonIssue } from "../../../lib/contract/reason.ts";

const tooLong = "must have at most 200 characters";
const unshown = "must have no control or format characters, such as line breaks";

it.each<[string, string, string | undefined]>([
  ["200 characters of two UTF-16 units", "🚩".repeat(200), undefined],
  ["201 characters", "x".repeat(201), tooLong],
  ["no characters", "", undefined],
  ["letters, spaces and signs", "grün: 5 €, a-b", undefined],
  ["a line break", "a\nb", unshown],
  ["a character that reverses the text after it", "a\u{202e}b", unshown],
])("a reason may or may not have %s", (_, reason, issue) => {
  expect(reasonIssue(reason)).toBe(issue);
});
