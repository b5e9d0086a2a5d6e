/** Values of constraints: an SDK of Unleash can compare with what is accepted. */
import fc from "fast-check";
import { Strategy } from "unleash-client";
import { expect, it } from "vitest";
import { constraintSchema } from "../../../lib/contract/strategies.ts";
import { validate } from "../../../lib/contract/validate.ts";
import { sameIssueAt } from "../../support/answers.ts";
import { itProp } from "../../support/property.ts";

const constraint = (operator: string, value: string) => ({ contextName: "a", operator, value });
const issuesOf = (operator: string, value: string) =>
  validate(constraintSchema, constraint(operator, value)).issues;

/** Whether the constraint holds by Unleash's SDK for Node.js. */
function holds(operator: string, value: string, of: string): boolean {
  const context = operator.startsWith("DATE_") ? { currentTime: new Date(of) } : { properties: { a: of } };
  return new Strategy("any").checkConstraint(
    { ...constraint(operator, value), values: [], inverted: false, caseInsensitive: false } as never,
    context,
  );
}

it.each([
  ["NUM_EQ", "18", "18"],
  ["NUM_EQ", "-0.5", "-.5"],
  ["NUM_EQ", "1.", "1"],
  ["NUM_LT", "+1E3", "999"],
  ["NUM_LT", "1e308", "1"],
  ["NUM_GTE", "1e-999", "0"],
  ["NUM_GT", `0.${"0".repeat(10_000)}1`, "1"],
  ["DATE_AFTER", "2026-01-31T09:00:00Z", "2026-01-31T09:00:01Z"],
  ["DATE_AFTER", "2026-01-31T09:00:00.123456789Z", "2026-01-31T09:00:01Z"],
  ["DATE_BEFORE", "2026-01-31T09:00:00+02:00", "2026-01-31T06:59:59Z"],
  ["DATE_BEFORE", "2026-01-31T23:59:59-23:59", "2026-02-01T23:58:58Z"],
  ["DATE_AFTER", "2028-02-29T00:00:00Z", "2028-02-29T01:00:00Z"],
  ["DATE_AFTER", "0000-01-01T00:00:00Z", "0001-01-01T00:00:00Z"],
  ["DATE_BEFORE", "9999-12-31T23:59:59Z", "2026-01-01T00:00:00Z"],
  ["SEMVER_EQ", "1.2.3", "1.2.3+build"],
  ["SEMVER_GT", "0.0.0", "0.0.1"],
  ["SEMVER_LT", "1.10.0-beta.1", "1.10.0-beta.0"],
  ["SEMVER_EQ", "1.2.3-0.a-0.0a.--", "1.2.3-0.a-0.0a.--"],
  ["SEMVER_EQ", "1.2.3-rc.1+001.a-b", "1.2.3-rc.1"],
  ["SEMVER_EQ", "1.0.999999999999999", "1.0.999999999999999"],
  ["SEMVER_EQ", `1.2.3-${"a".repeat(250)}`, `1.2.3-${"a".repeat(250)}`],
  ["REGEX", "^user[1-3]+@", "user1@a.example"],
  ["REGEX", "", "anything"],
  ["REGEX", "(?i)^A", "ab"],
  ["REGEX", "(?i:A)b(?-i)", "ab"],
  ["REGEX", "(?P<year>\\d{4})-(?<month>\\d\\d)", "2026-01"],
  ["REGEX", "\\A\\Q(?=\\E\\z", "(?="],
  ["REGEX", "\\Qa(", "a("],
  ["REGEX", "foo\\(?=bar", "foo=bar"],
  ["REGEX", "\\\\1", "\\1"],
  ["REGEX", "[(?=\\]]+", "(?="],
  ["REGEX", "[]a]{2}", "]a"],
  ["REGEX", "[^]a](b|c)*?$", "b"],
  ["REGEX", "[[:alpha:]+*(]+", "a+*("],
  ["REGEX", "\\pL\\p{Greek}\\x41\\x{42}", "aαAB"],
  ["REGEX", "[😀-😂]+", "😁"],
  ["REGEX", "{a}{,3}]", "{a}{,3}]"],
  ["REGEX", "\\b*a$+", "a"],
  ["REGEX", "\\_\\-\\/\\ \\@", "_-/ @"],
])("%s %s is accepted, and holds for %s", (operator, value, of) => {
  expect(issuesOf(operator, value)).toBeUndefined();
  expect(holds(operator, value, of)).toBe(true);
});

const number = "must be a number";
const time = "must be a time such as 2026-01-31T09:00:00Z";
const version = "must be a version such as 1.2.3";
const regex = "must be a regular expression of RE2";

it.each([
  ["NUM_GT", number, ["", " ", "x", "1x", "1e", ".", "+", "1e999", "-1e999", "9".repeat(400)]],
  ["NUM_EQ", number, ["0x10", "1_000", "1,5", " 1", "1\n", "Infinity", "NaN", "--1", "٣"]],
  ["DATE_AFTER", time, ["", "foo 1", "2026", "2026-01-31", "2026-01-31T09:00:00", "2026-01-31T09:00Z"]],
  ["DATE_AFTER", time, ["2026-01-31 09:00:00Z", "2026-01-31t09:00:00z", "2026-01-31T09:00:00+0200"]],
  ["DATE_BEFORE", time, ["2026-02-30T00:00:00Z", "2026-02-29T00:00:00Z", "2026-04-31T00:00:00Z"]],
  ["DATE_BEFORE", time, ["2026-00-01T00:00:00Z", "2026-13-01T00:00:00Z", "2026-01-00T00:00:00Z"]],
  ["DATE_BEFORE", time, ["2026-01-32T00:00:00Z", "2026-01-31T24:00:00Z", "2026-01-31T00:60:00Z"]],
  ["DATE_BEFORE", time, ["2026-01-31T23:59:60Z", "2026-01-31T00:00:00+24:00", "2026-01-31T00:00:00.Z"]],
  ["DATE_BEFORE", time, ["+12026-01-01T00:00:00Z", "2026-01-31T00:00:00Z\n", "1767225600000"]],
  ["SEMVER_GT", version, ["", "1", "1.2", "1.2.3.4", "v1.2.3", "=1.2.3", " 1.2.3", "1.2.3\n", "1.2.x"]],
  [
    "SEMVER_GT",
    version,
    ["01.2.3", "1.02.3", "1.2.03", "1.2.3-", "1.2.3+", "1.2.3-a..b", "1.2.3-a.", "1.2.3+a."],
  ],
  ["SEMVER_EQ", version, ["1.2.3-01", "1.2.3-a.01", "1.2.3-a_b", "1.2.3+a_b", "1.2.3-é", "1.2.3-a+b+c"]],
  ["SEMVER_EQ", version, ["1.2.99999999999999999", `1.2.3-${"a".repeat(251)}`]],
  ["REGEX", regex, ["(", "a)", "[a", "[]", "[^]", "*", "a**", "a|*", "\\", "a{2,1}", "(?"]],
  [
    "REGEX",
    regex,
    ["(?=a)", "(?!a)", "(?<=a)", "(?<!a)", "(a)\\1", "(?<n>a)\\k<n>", "(?>a)", "(?x)a", "(?#a)"],
  ],
  ["REGEX", regex, ["\\u0041", "\\cA", "\\Z", "\\h", "\\8", "a++"]],
])("%s %s is refused for %j", (operator, message, values) => {
  for (const value of values)
    expect([value, issuesOf(operator, value)]).toEqual([value, sameIssueAt(message, "/value")]);
});

const textOf = (...parts: string[]) =>
  fc.array(fc.constantFrom(...parts), { maxLength: 9 }).map((drawn) => drawn.join(""));

itProp([textOf("0", "1", "9", "a", "B", "-", "+", ".", "_", "0.0", "1.2.3", "999999999999")], {
  numRuns: 3000,
})("a version that is accepted equals itself", (value) => {
  if (!issuesOf("SEMVER_EQ", value)) expect(holds("SEMVER_EQ", value, value)).toBe(true);
});

itProp([textOf("0", "1", ".", "e", "E", "+", "-", "308", "x")], { numRuns: 3000 })(
  "a number that is accepted equals itself",
  (value) => {
    if (!issuesOf("NUM_EQ", value)) expect(holds("NUM_EQ", value, value)).toBe(true);
  },
);

itProp([
  fc.date({
    noInvalidDate: true,
    min: new Date("0000-01-01T00:00:00Z"),
    max: new Date("9999-12-31T23:59:59Z"),
  }),
])("a time is accepted as JavaScript writes it", (date) => {
  expect(issuesOf("DATE_AFTER", date.toISOString())).toBeUndefined();
});

it.each([
  ["REGEX", ["[", "[[:a", "\\Q", "\\p{", "(?P<a", "(?i", "{1", "\\", "(", "a", "1", "x{", "[^]"]],
  ["SEMVER_EQ", ["1", "0", "a", "-", "1.2.3-0", "1.2.3-a.", "a.", "-a"]],
  ["NUM_EQ", ["1", "0", ".", "1.1", "e1"]],
  ["DATE_AFTER", ["1", "2026-01-31T09:00:00."]],
])("%s is validated in linear time", (operator, parts) => {
  const startedAt = performance.now();
  for (const part of parts) {
    const long = part.repeat(200_000 / part.length);
    for (const value of [long, `${long}_`, `1.2.3-${long}_`, `1.2.3+${long}_`, `0.${long}x`])
      issuesOf(operator, value);
  }
  // Quadratic time would be minutes.
  expect(performance.now() - startedAt).toBeLessThan(10_000);
});
