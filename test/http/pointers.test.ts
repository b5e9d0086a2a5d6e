/** RFC 6901 and 6902, where the paths of a patch meet a list of variants. */
import { describe, expect, it } from "vitest";
import { refusedInDevelopment } from "../support/answers.ts";
import { useBurgee } from "../support/burgee.ts";
import { add, copy, move, remove, replace } from "../support/patching.ts";
import { addFeature, variant } from "../support/seed.ts";

const burgee = useBurgee();

const green = { name: "green", weight: 0 };
const stored = [variant("amber", { weight: 500 }), variant("blue", { weight: 500 })];

describe("is refused with 400 that names the environment, the operation's index, op and path, and changes nothing", () => {
  const cases = {
    "a path that cannot be followed": [
      add("/0/payload/type", "json"),
      add("/0/name/first", "x"),
      add("/0/weight/x", 1),
      remove("/0/payload/type"),
      replace("/9/name", "x"),
      copy("/0/payload/value", "/1/payload"),
      move("/0/name/first", "/1/name"),
      remove("/amber"),
      add("//-", green),
      replace("/0/a~1b", 1),
    ],
    "an index out of range": [
      add("/3", green),
      add("/99999999999999999999", green),
      remove("/2"),
      replace("/2", green),
      copy("/2", "/-"),
      copy("/0", "/4"),
      move("/2", "/0"),
      move("/0", "/2"),
    ],
    "- where nothing is added": [
      remove("/-"),
      replace("/-", green),
      replace("/-/name", "x"),
      copy("/-", "/0"),
      move("/-", "/0"),
      add("/-/name", "x"),
    ],
    "an index that is not written as RFC 6901 has it": [
      add("/00", green),
      remove("/01"),
      replace("/01", green),
      copy("/00", "/-"),
      move("/01", "/0"),
      add("/-1", green),
      remove("/1.0"),
      remove("/1e0"),
      remove("/+1"),
      remove("/ 1"),
      remove("/1 "),
      remove("/0x1"),
      remove("/"),
    ],
    "the length of a list, or what objects inherit": [
      add("/length", 0),
      replace("/length", 0),
      remove("/length"),
      copy("/length", "/0/weight"),
      copy("/0/toString", "/0/payload"),
      copy("/map", "/-"),
      remove("/0/valueOf"),
      replace("/0/hasOwnProperty", 1),
    ],
    "removing or replacing what is not there": [
      remove("/0/payload"),
      remove("/0/overrides"),
      replace("/0/payload", { type: "string", value: "x" }),
      replace("/0/", 1),
      move("/0/payload", "/1/payload"),
    ],
    "moving a value into itself": [
      move("/0", "/0/payload"),
      move("", "/0"),
      move("", "/-"),
      move("/0", "/0/"),
    ],
  };

  const rows = Object.entries(cases).flatMap(([what, operations]) =>
    operations.map((operation) => [what, operation.op, JSON.stringify(operation), operation] as const),
  );

  it.each(rows)("%s, by %s: %s", async (_, op, __, operation) => {
    const environments = { development: stored, production: stored };
    const feature = await addFeature(burgee, { environments });
    const harmless = replace("/0/stickiness", "userId");

    const answer = await burgee.patch(feature, [harmless, operation]);

    expect(answer).toEqual(refusedInDevelopment("1", op, operation.path));
    for (const environment of Object.keys(environments)) {
      const { variants, revision } = await burgee.storedEnvironment(feature, environment);
      expect({ variants, revision }).toEqual({ variants: stored, revision: 1 });
    }
  });
});
