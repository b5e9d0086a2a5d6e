/** No regular expression of ours can be made to take long: neither by a body's length, nor by a header's. */
import { describe, expect, it } from "vitest";
import { limits } from "../../lib/contract/limits.ts";
import { superlinear } from "../support/growth.ts";
import { patternsIn } from "../support/patterns.ts";

const patterns = ["functions", "lib", "infra/local"].flatMap(patternsIn);

it("the measurement notices what grows faster than a text does", () => {
  expect(superlinear(/^(a+)+$/, limits.bodyBytes)).toBeDefined();
});

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
