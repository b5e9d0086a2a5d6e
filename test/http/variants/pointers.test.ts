/** RFC 6901 and 6902 through HTTP: some operations of each kind. All of them: test/unit/features/json-patch. */
import { describe, expect, it } from "vitest";
import { refusedInDevelopment } from "../../support/answers.ts";
import { useBurgee } from "../../support/burgee.ts";
import { add, copy, move, remove, replace } from "../../support/patching.ts";
import { addFeature, variant } from "../../support/seed.ts";

const burgee = useBurgee();

const green = { name: "green", weight: 0 };
const stored = [variant("amber", { weight: 500 }), variant("blue", { weight: 500 })];

describe("is refused with 400 that names the environment, the operation's index, op and path, and changes nothing", () => {
  const cases = {
    "a path that cannot be followed": [
      add("/0/payload/type", "json"),
      copy("/0/payload/value", "/1/payload"),
      remove("/amber"),
    ],
    "an index out of range": [add("/3", green), remove("/2"), move("/0", "/2")],
    "- where nothing is added": [replace("/-", green), copy("/-", "/0")],
    "an index that is not written as in RFC 6901": [add("/00", green), remove("/1e0"), remove("/")],
    "the length of a list, or what objects inherit": [
      replace("/length", 0),
      copy("/0/toString", "/0/payload"),
      remove("/0/valueOf"),
    ],
    "removing or replacing what is not there": [remove("/0/payload"), replace("/0/", 1)],
    "moving a value into itself": [move("/0", "/0/payload"), move("", "/-")],
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
