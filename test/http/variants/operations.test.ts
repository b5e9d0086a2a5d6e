/** What each operation does to a list of variants. RFC 6901 and 6902 in full: test/unit/features/json-patch */
import { describe, expect, it } from "vitest";
import type { Variant } from "../../../lib/contract/variants.ts";
import { faultsAt, invalid, patchedTo, refusedInDevelopment } from "../../support/answers.ts";
import { useBurgee } from "../../support/burgee.ts";
import { add, copy, move, remove, replace } from "../../support/patching.ts";
import { addFeature, variant } from "../../support/seed.ts";

const burgee = useBurgee();

const payload = { type: "json", value: "{}" };
const amber = variant("amber", { weight: 500, payload });
const blue = variant("blue", { weight: 500 });
const green = { name: "green", weight: 0 };
const thirds = (...variants: Variant[]) =>
  variants.map((each, at) => ({ ...each, weight: at === 0 ? 334 : 333 }));

describe("a patch operation", () => {
  it.each<[string, unknown[], Variant[]]>([
    [
      "add inserts before the index",
      [add("/0", { ...green, weightType: "fix", weight: 1 }), add("/0", { name: "coral", weight: 0 })],
      [
        variant("amber", { weight: 333, payload }),
        variant("blue", { weight: 333 }),
        variant("coral", { weight: 333 }),
        variant("green", { weight: 1, weightType: "fix" }),
      ],
    ],
    ["add at - appends", [add("/-", green)], thirds(amber, blue, variant("green"))],
    ["add sets a member", [add("/1/payload", payload)], [amber, { ...blue, payload }]],
    ["remove may leave no variant", [remove("/1"), remove("/0")], []],
    [
      "copy duplicates an element",
      [copy("/0", "/-"), replace("/2/name", "azure")],
      thirds(amber, { ...amber, name: "azure" }, blue),
    ],
    [
      "move takes a member elsewhere",
      [move("/0/payload", "/1/payload")],
      [variant("amber", { weight: 500 }), { ...blue, payload }],
    ],
    [
      "starts from the result of the one before it",
      [add("/-", green), remove("/0"), remove("/0"), replace("/0/name", "grey")],
      [variant("grey")],
    ],
    [
      "ignores members that it does not define",
      [{ ...remove("/0"), value: 1, from: 2, comment: "not needed" }],
      [variant("blue")],
    ],
    ["replace may replace the whole list", [replace("", [green])], [variant("green")]],
    ["remove may remove the whole list before an add", [remove(""), add("", [green])], [variant("green")]],
  ])("%s", async (_, patch, variants) => {
    const environments = { development: [amber, blue], production: [amber, blue] };
    const feature = await addFeature(burgee, { environments });

    expect(await burgee.patch(feature, patch)).toEqual(patchedTo(variants));
    expect((await burgee.storedEnvironment(feature, "production")).variants).toEqual(variants);
  });
});

describe("a patch returns 400 that names the environment, and writes nothing, for", () => {
  const environments = { development: [amber, blue], production: [amber, blue] };

  /** Each after an operation that succeeds. Every form: test/unit/features/json-patch/operations.test.ts */
  const impossible = [
    ["a path that cannot be followed", copy("/1/payload/value", "/0/stickiness")],
    ["an index out of range", move("/0", "/2")],
    ["- where nothing is added", replace("/-", green)],
    ["an index that is not written as in RFC 6901", add("/00", green)],
    ["the length of a list", replace("/length", 0)],
    ["what objects inherit", remove("/0/valueOf")],
    ["removing what is not there", remove("/1/payload")],
    ["moving a value into itself", move("/0", "/0/payload")],
  ] as const;

  it.each(impossible)("%s", async (_, operation) => {
    const feature = await addFeature(burgee, { environments });
    const from = "from" in operation ? [operation.from] : [];

    const answer = await burgee.patch(feature, [replace("/0/stickiness", "userId"), operation]);

    expect(answer).toEqual(refusedInDevelopment("operation 1", operation.op, ...from, operation.path));
    expect(burgee.writes()).toEqual([]);
  });

  it.each<[string, unknown[], string[]]>([
    ["a result that is an object", [add("", {})], []],
    ["a result that is nothing", [remove("")], []],
    ["a result that has itself in it", [copy("", "/-")], []],
    ["null as an added value of the result", [add("/0/payload", null)], ["/0/payload"]],
    ["a variant in the result", [replace("/1/weight", -1)], ["/1/weight", "0", "1000"]],
  ])("%s", async (_, patch, words) => {
    const feature = await addFeature(burgee, { environments });

    expect(await burgee.patch(feature, patch)).toEqual(refusedInDevelopment(...words));
    expect(burgee.writes()).toEqual([]);
  });
});

describe("a patch that is not one returns 400, before its feature is read:", () => {
  it("each issue has a JSON Pointer into the body", async () => {
    const answer = await burgee.patch("missing", [
      { op: "add", path: "0" },
      { op: "test", path: "/0", value: 1 },
      { op: "copy", path: "/0", from: "/~2" },
      { op: "move", path: "/0" },
      { op: "remove" },
      { path: "/0" },
      "remove /0",
    ]);

    const places = ["/0/path", "/0/value", "/1/op", "/2/from", "/3/from", "/4/path", "/5/op", "/6"];
    expect(answer).toEqual(invalid({ details: faultsAt(...places) }));
  });

  it("the whole body", async () => {
    expect(await burgee.patch("missing", remove("/0"))).toEqual(invalid({ details: faultsAt("") }));
  });
});
