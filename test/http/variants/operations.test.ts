/** What each operation does to a list of variants. RFC 6901 and 6902 in full: test/unit/features/json-patch */
import { describe, expect, it } from "vitest";
import type { Variant } from "../../../lib/contract/variants.ts";
import { faultsAt, invalid, naming, patchedTo, refusedInDevelopment } from "../../support/answers.ts";
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
    ["add replaces a member", [add("/0/stickiness", "id")], [{ ...amber, stickiness: "id" }, blue]],
    ["remove takes an element out", [remove("/0")], [variant("blue")]],
    ["remove may leave no variant", [remove("/1"), remove("/0")], []],
    ["replace changes a member", [replace("/1/name", "cyan")], [amber, { ...blue, name: "cyan" }]],
    [
      "replace reaches into a payload",
      [replace("/0/payload/value", "[1]")],
      [{ ...amber, payload: { type: "json", value: "[1]" } }, blue],
    ],
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
    ["move of a value to where it is changes nothing", [move("/0", "/0")], [amber, blue]],
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
    ["add may replace the whole list", [add("", [green])], [variant("green")]],
    ["replace may replace the whole list", [replace("", [green])], [variant("green")]],
    [
      "copy may copy the whole list",
      [replace("/0/name", "green"), remove("/0/payload"), remove("/1"), copy("", "")],
      [variant("green")],
    ],
    [
      "move may move a list to the whole document",
      [replace("", { list: [green] }), move("/list", "")],
      [variant("green")],
    ],
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

  /** Each after an operation that succeeds. */
  const impossible = {
    "a path that cannot be followed": [
      add("/1/payload/type", "json"),
      copy("/1/payload/value", "/0/stickiness"),
      remove("/amber"),
      replace("/1/payload/type", "x"),
    ],
    "an index out of range": [add("/3", green), remove("/2"), move("/0", "/2"), copy("/8", "/-")],
    "- where nothing is added": [replace("/-", green), copy("/-", "/0")],
    "an index that is not written as in RFC 6901": [add("/00", green), remove("/1e0"), remove("/")],
    "the length of a list, or what objects inherit": [
      replace("/length", 0),
      copy("/0/toString", "/0/payload"),
      remove("/0/valueOf"),
    ],
    "removing or replacing what is not there": [remove("/1/payload"), replace("/0/", 1)],
    "moving a value into itself": [move("/0", "/0/payload"), move("", "/-")],
  };
  const rows = Object.entries(impossible).flatMap(([what, operations]) =>
    operations.map((operation) => [what, JSON.stringify(operation), operation] as const),
  );

  it.each(rows)("%s: %s", async (_, __, operation) => {
    const feature = await addFeature(burgee, { environments });
    const from = "from" in operation ? [operation.from] : [];

    const answer = await burgee.patch(feature, [replace("/0/stickiness", "userId"), operation]);

    expect(answer).toEqual(refusedInDevelopment("operation 1", operation.op, ...from, operation.path));
    expect(burgee.writes()).toEqual([]);
  });

  it.each<[string, unknown[], string[]]>([
    ["an index out of range, with the reason", [add("/7", 1)], ["operation 0", "out of range"]],
    ["a missing member, with the reason", [remove("/1/payload")], ["there is no member"]],
    ["a move into itself, with the reason", [move("/0", "/0/name")], ["into itself"]],
    ["a result that is an object", [add("", {})], []],
    ["a result that is nothing", [remove("")], []],
    ["a result that has itself in it", [copy("", "/-")], []],
    ["null as an added value of the result", [add("/0/payload", null)], ["/0/payload"]],
    ["null as a replaced value of the result", [replace("/0/payload", null)], ["/0/payload"]],
    ["a variant in the result", [replace("/1/weight", -1)], ["/1/weight", "0", "1000"]],
  ])("%s", async (_, patch, words) => {
    const feature = await addFeature(burgee, { environments });

    expect(await burgee.patch(feature, patch)).toEqual(refusedInDevelopment(...words));
    expect(burgee.writes()).toEqual([]);
  });
});

describe("a patch returns 400, before its feature is read, for an operation that", () => {
  it.each<[string, unknown, string]>([
    ["is a test", { op: "test", path: "/0", value: 1 }, "/0/op"],
    ["is an add without a value", { op: "add", path: "/0" }, "/0/value"],
    ["is a copy without from", { op: "copy", path: "/0" }, "/0/from"],
    ["has a path without a slash", { op: "remove", path: "0" }, "/0/path"],
    ["has a path with ~2", { op: "remove", path: "/0/~2" }, "/0/path"],
    ["is a text", "remove /0", "/0"],
  ])("%s", async (_, operation, path) => {
    const answer = await burgee.patch("missing", [operation]);

    expect(answer).toEqual(invalid({ message: naming(path), details: faultsAt(path) }));
  });

  it("is one of several, each with a JSON Pointer into the body", async () => {
    const answer = await burgee.patch("missing", [
      { op: "add", path: "0" },
      { op: "test", path: "/0", value: 1 },
      { op: "copy", path: "/0", from: "/~2" },
      { op: "move", path: "/0" },
      { op: "remove" },
      { path: "/0" },
      null,
    ]);

    const places = ["/0/path", "/0/value", "/1/op", "/2/from", "/3/from", "/4/path", "/5/op", "/6"];
    expect(answer).toEqual(invalid({ details: faultsAt(...places) }));
  });

  it("is the whole body", async () => {
    expect(await burgee.patch("missing", remove("/0"))).toEqual(invalid({ details: faultsAt("") }));
  });
});
