/** No regular expression of ours can be made to take long: neither by a body's length, nor by a header's. */
import { describe, expect, it } from "vitest";
import { limits } from "../../lib/contract/limits.ts";
import { superlinear } from "../support/growth.ts";
import { patternsIn, patternsOf } from "../support/patterns.ts";

const patterns = ["functions", "lib", "infra/local"].flatMap(patternsIn);

describe("a regular expression that meets what callers send", () => {
  it("is found wherever one stands", () => {
    const some = ["access/authenticate", "contract/json-pointer", "http/options"].map(
      (name) => `lib/${name}.ts`,
    );

    expect(patterns.map(({ file }) => file)).toEqual(
      expect.arrayContaining([...some, "infra/local/event.ts"]),
    );
  });

  it.each(patterns.map(({ file, pattern }) => [String(pattern), file, pattern] as const))(
    "takes no longer than in proportion to a text: %s in %s",
    (_, __, pattern) => {
      expect(superlinear(pattern, limits.bodyBytes)).toBeUndefined();
    },
  );
});

describe("the measurement", () => {
  const exponential = [/^(a+)+$/, /^(\w|\d)*$/, /^(?:a|aa)+$/];
  const polynomial = [/\s+$/, /^a*a*a*b/, /^\s*\s*x/, /,.*,.*;/g, /^application\/json(?: *;? *)*$/];

  it.each([...exponential, ...polynomial])("finds what grows faster: %s", (pattern) => {
    expect(superlinear(pattern, limits.bodyBytes)).toBeDefined();
  });

  it.each([/^[^"]*$/, /(?:\w|-)+/g])("accepts what takes time in proportion: %s", (pattern) => {
    expect(superlinear(pattern, 2 * limits.bodyBytes)).toBeUndefined();
  });
});

describe("the search", () => {
  it("finds patterns wherever code has them", () => {
    const found = patternsOf("a.ts", 'f(/a/g, { b: g("x".split(/[/]b/)) }); // /not this/');

    expect(found.map(({ pattern }) => String(pattern))).toEqual(["/a/g", "/[/]b/"]);
  });

  it.each(["new RegExp(name)", "RegExp(name)"])("rejects a pattern that is made of a text: %s", (code) => {
    expect(() => patternsOf("a.ts", code)).toThrow("a.ts builds a pattern from a string");
  });
});
