/** Issues: their places, their messages, and how many are listed. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import {
  findExcess,
  findJsonIssues,
  parsePointer,
  pointerLength,
  pointerPattern,
  toIssue,
  type ValueIssue,
} from "../../../lib/contract/json.ts";
import { limits } from "../../../lib/contract/limits.ts";
import { issuesUnder, summarise, validate } from "../../../lib/contract/validate.ts";
import { sameIssueAt } from "../../support/answers.ts";
import { tree } from "../../support/arbitraries.ts";
import { milliseconds } from "../../support/cost.ts";
import { times } from "../../support/patching.ts";
import { itProp } from "../../support/property.ts";

describe("a value against a schema", () => {
  const schema = z.strictObject({ count: z.int(), name: z.string(), kind: z.enum(["a", "b"]) });

  it("has each issue reported in plain words", () => {
    expect(validate(schema, { count: 1.5, name: 2, kind: "c", more: 1 }).issues).toEqual([
      ...sameIssueAt("is not a known member", "/more"),
      ...sameIssueAt("must be an integer", "/count"),
      ...sameIssueAt("must be a string", "/name"),
      ...sameIssueAt("must be one of a, b", "/kind"),
    ]);
  });

  const tooLong = "has a name that is too long";
  const byName = z.record(z.string().check(z.maxLength(3, tooLong)), z.int());

  it.each([
    ["a name that is refused", byName, { one: 1, three: 3 }, sameIssueAt(tooLong, "/three")],
    ["no members", byName, 1, sameIssueAt("must be an object", "")],
    ["another value than the only one", z.literal(1), 2, sameIssueAt("must be 1", "")],
    ["no value", schema, undefined, sameIssueAt("is required", "")],
  ])("has an issue reported where it has %s", (_, schema, value, issues) => {
    expect(validate<unknown>(schema, value)).toEqual({ issues });
  });
});

it("no more issues are reported than the limit, however many places have some", () => {
  const place = z.strictObject({});
  const names = Object.fromEntries(times(limits.listedIssues - 1, (index) => [index, 1]));

  const { issues } = validate(z.object({ one: place, other: place }), { one: names, other: names });

  expect(issues).toHaveLength(limits.listedIssues);
});

describe("a value with more list elements and members than can be validated", () => {
  const listOf = (count: number) => times(count, () => 1);
  const [tooMany] = sameIssueAt("has more than 20,000 list elements and members", "");

  it.each<[string, unknown, ValueIssue | undefined]>([
    ["no container", 1, undefined],
    ["a list that just fits", listOf(limits.jsonValues), undefined],
    ["a list", listOf(limits.jsonValues + 1), tooMany],
    ["an object", Object.fromEntries(times(limits.jsonValues + 1, (index) => [index, 1])), tooMany],
    ["lists in a list", [listOf(limits.jsonValues / 2), listOf(limits.jsonValues / 2)], tooMany],
    [
      "lists in a list that just fit",
      [listOf(limits.jsonValues / 2), listOf(limits.jsonValues / 2 - 2)],
      undefined,
    ],
    ["700,000 elements", [listOf(700_000)], tooMany],
  ])("is found: %s", (_, value, excess) => {
    expect(findExcess(value)).toEqual(excess);
    expect(milliseconds(() => findExcess(value), 50)).toBeLessThanOrEqual(50);
  });
});

describe("the place of an issue", () => {
  const long = "x".repeat(pointerLength);
  const tildes = "~".repeat(pointerLength / 2);

  it.each<[string, (string | number)[], string]>([
    ["names that a pointer escapes", ["a/b", "m~n", ""], "/a~1b/m~0n/"],
    ["an ancestor of a name that is too long", ["addedTags", 0, long], "/addedTags/0"],
    ["an ancestor of a name that has no form in UTF-8", ["a", "\ud800"], "/a"],
    ["a name of as many characters as fit", [long.slice(1)], `/${long.slice(1)}`],
    ["as many escaped characters as fit", [tildes.slice(1)], `/${"~0".repeat(tildes.length - 1)}`],
  ])("is a JSON Pointer: %s", (_, place, path) => {
    expect([toIssue(place, "is wrong")]).toEqual(sameIssueAt("is wrong", path));
  });

  const longName = fc.string({ minLength: 90, maxLength: 200 });
  const name = fc.oneof(fc.string(), longName, fc.constant("~".repeat(150)), fc.nat());

  itProp([fc.array(name)])(
    "is for any names a pointer within the limit, to the issue or its holder",
    (place) => {
      const { path } = toIssue(place, "is wrong");

      const tokens = parsePointer(path);
      expect(path).toMatch(pointerPattern);
      expect(path.length).toBeLessThanOrEqual(pointerLength);
      expect(tokens).toEqual(place.slice(0, tokens.length).map(String));
    },
  );

  itProp([fc.array(name), name])("under a member has the same limit", (place, member) => {
    const inMember = issuesUnder(String(member), [toIssue(place, "is wrong")]);

    expect(inMember).toEqual([
      toIssue([String(member), ...parsePointer(toIssue(place, "").path)], "is wrong"),
    ]);
    expect(inMember[0]?.path.length).toBeLessThanOrEqual(pointerLength);
  });
});

it.each([
  ["none", [], ""],
  ["one", sameIssueAt("is required", "/a"), "/a is required"],
  ["one of the whole", sameIssueAt("must be a list", ""), "it must be a list"],
  ["several", sameIssueAt("is required", "/a", "/b", "/c"), "/a is required (and 2 more issues)"],
])("issues in one sentence name the first: %s", (_, issues, sentence) => {
  expect(summarise(issues)).toBe(sentence);
});

describe("parsed JSON", () => {
  const body = (text: string): unknown => JSON.parse(text);
  const lists = (levels: number) => body("[".repeat(levels) + "]".repeat(levels));
  const objects = (levels: number) => body(`${'{"a":'.repeat(levels - 1)}{}${"}".repeat(levels - 1)}`);
  const tooDeep = "is nested deeper than 32 levels";
  const forbidden = "is a forbidden name";
  const lone = "contains a lone surrogate";
  const tooLarge = "is too large for a number";
  const loneInName = "has a member whose name contains a lone surrogate";

  itProp([tree])("of any content that can be stored has no issues", (value) => {
    expect(findJsonIssues(value)).toEqual([]);
  });

  it.each([
    ["32 levels with values that nest no further", body(`${"[".repeat(32)}1,"a",null${"]".repeat(32)}`)],
    ["the largest and the smallest numbers", body("[1.7976931348623157e308,-1e308,1e-999,-0]")],
    ["a forbidden name elsewhere", body('{"name":"__proto__","a__proto__":"constructor","Prototype":1}')],
    ["whole pairs of surrogates", body('{"\\ud83d\\ude00":"\\ud83d\\ude00 😀"}')],
  ])("may have %s", (_, value) => {
    expect(findJsonIssues(value)).toEqual([]);
  });

  it.each<[string, unknown, ValueIssue[]]>([
    ["lists nested 33 levels deep", lists(33), sameIssueAt(tooDeep, "/0".repeat(32))],
    ["objects nested 33 levels deep", objects(33), sameIssueAt(tooDeep, "/a".repeat(32))],
    ["a lone surrogate in a text", { a: ["\udc00\ud800"] }, sameIssueAt(lone, "/a/0")],
    ["numbers beyond a double", body('{"a":[1e999,{"b":-1e999}]}'), sameIssueAt(tooLarge, "/a/0", "/a/1/b")],
    ["a lone surrogate in a name", body('{"a":{"\\ud800":1}}'), sameIssueAt(loneInName, "/a")],
    ...["__proto__", "constructor", "prototype"].map((name): [string, unknown, ValueIssue[]] => [
      `a member named ${name}`,
      body(`[{"value":{"a":[{"${name}":{}}]}},{"${name}":1}]`),
      sameIssueAt(forbidden, `/0/value/a/0/${name}`, `/1/${name}`),
    ]),
    [
      "an issue in a member with a forbidden name",
      body('{"__proto__":["\\ud800"]}'),
      [...sameIssueAt(forbidden, "/__proto__"), ...sameIssueAt(lone, "/__proto__/0")],
    ],
  ])("may not have %s", (_, value, issues) => {
    expect(findJsonIssues(value)).toEqual(issues);
  });

  const repeated = (count: number, element: string) => body(`[${times(count, () => element).join()}]`);

  it.each([
    [
      "members' names",
      limits.listedIssues,
      body(`{${times(15_000, (index) => `"\\ud800${index}":1`).join()}}`),
    ],
    [
      "forbidden names",
      limits.listedIssues,
      repeated(5_000, '{"__proto__":1,"constructor":1,"prototype":1}'),
    ],
    ["nested lists", limits.listedIssues, repeated(2_000, "[".repeat(32) + "]".repeat(32))],
    // Without a stack overflow.
    ["a list 130,000 levels deep", 1, lists(130_000)],
  ])("has the issues of %s reported fast, up to the limit", (_, count, value) => {
    expect(findJsonIssues(value)).toHaveLength(count);
    expect(milliseconds(() => findJsonIssues(value), 50)).toBeLessThanOrEqual(50);
  });
});
