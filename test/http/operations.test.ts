/** What a patch's operations must be, and what each does to a list of variants. */
import { describe, expect, it } from "vitest";
import type { Variant } from "../../lib/contract/variants.ts";
import { faultsAt, invalid, naming, patchedTo, refusedInDevelopment } from "../support/answers.ts";
import { useBurgee } from "../support/burgee.ts";
import { add, copy, move, remove, replace } from "../support/patching.ts";
import { addFeature, variant } from "../support/seed.ts";

const burgee = useBurgee();

const payload = { type: "json", value: "{}" };
const amber = variant("amber", { weight: 500, payload });
const blue = variant("blue", { weight: 500 });
const green = { name: "green", weight: 0 };

describe("a patch operation", () => {
  it.each<[string, unknown[], Variant[]]>([
    [
      "add inserts into a list before the index",
      [add("/0", { ...green, weightType: "fix", weight: 1 }), add("/0", { name: "coral", weight: 0 })],
      [
        variant("amber", { weight: 333, payload }),
        variant("blue", { weight: 333 }),
        variant("coral", { weight: 333 }),
        variant("green", { weight: 1, weightType: "fix" }),
      ],
    ],
    [
      "add at the index after the last appends",
      [add("/2", green)],
      [
        variant("amber", { weight: 334, payload }),
        variant("blue", { weight: 333 }),
        variant("green", { weight: 333 }),
      ],
    ],
    [
      "add at - appends",
      [add("/-", green)],
      [
        variant("amber", { weight: 334, payload }),
        variant("blue", { weight: 333 }),
        variant("green", { weight: 333 }),
      ],
    ],
    [
      "add at 0 inserts before all others, so that the new one is the first to get one more",
      [add("/0", green)],
      [
        variant("amber", { weight: 333, payload }),
        variant("blue", { weight: 333 }),
        variant("green", { weight: 334 }),
      ],
    ],
    ["add sets a member", [add("/1/payload", payload)], [amber, { ...blue, payload }]],
    [
      "add replaces a member that is there",
      [add("/0/stickiness", "id")],
      [{ ...amber, stickiness: "id" }, blue],
    ],
    ["remove takes an element out", [remove("/0")], [variant("blue")]],
    ["remove takes a member out", [remove("/0/payload")], [variant("amber", { weight: 500 }), blue]],
    ["remove of every variant leaves none", [remove("/1"), remove("/0")], []],
    ["replace changes a member", [replace("/1/name", "cyan")], [amber, variant("cyan", { weight: 500 })]],
    ["replace changes an element", [replace("/1", green)], [amber, variant("green", { weight: 500 })]],
    [
      "replace reaches into a payload",
      [replace("/0/payload/value", "[1]")],
      [{ ...amber, payload: { type: "json", value: "[1]" } }, blue],
    ],
    ["copy duplicates a member", [copy("/0/payload", "/1/payload")], [amber, { ...blue, payload }]],
    [
      "copy duplicates an element",
      [copy("/0", "/-"), replace("/2/name", "azure")],
      [
        variant("amber", { weight: 334, payload }),
        variant("azure", { weight: 333, payload }),
        variant("blue", { weight: 333 }),
      ],
    ],
    [
      "move takes a member elsewhere",
      [move("/0/payload", "/1/payload")],
      [variant("amber", { weight: 500 }), { ...blue, payload }],
    ],
    [
      "move takes an element elsewhere: the index is of the list without it",
      [add("/-", green), move("/0", "/2")],
      [
        variant("amber", { weight: 333, payload }),
        variant("blue", { weight: 334 }),
        variant("green", { weight: 333 }),
      ],
    ],
    ["move of a value to where it is changes nothing", [move("/0", "/0")], [amber, blue]],
    [
      "starts from what the one before it left",
      [add("/-", green), remove("/0"), remove("/0"), replace("/0/name", "grey")],
      [variant("grey")],
    ],
    [
      "ignores members that it does not define",
      [{ ...remove("/0"), value: 1, from: 2, comment: "not needed" }],
      [variant("blue")],
    ],
  ])("%s", async (_, patch, variants) => {
    const feature = await addFeature(burgee, {
      environments: { development: [amber, blue], production: [amber, blue] },
    });

    const answer = await burgee.patch(feature, patch);

    expect(answer).toEqual(patchedTo(variants));
    expect((await burgee.storedEnvironment(feature, "production")).variants).toEqual(variants);
  });
});

describe("a whole-document operation, whose path is empty, is allowed", () => {
  it.each([
    ["add", [add("", [green])]],
    ["replace", [replace("", [green])]],
    ["copy", [replace("/0/name", "green"), remove("/0/payload"), remove("/1"), copy("", "")]],
    ["move", [replace("", { list: [green] }), move("/list", "")]],
    ["remove, when another makes it a list again", [remove(""), add("", [green])]],
  ])("%s", async (_, patch) => {
    const feature = await addFeature(burgee, { environments: { development: [amber, blue] } });

    const answer = await burgee.patch(feature, patch);

    expect(answer).toEqual(patchedTo([variant("green")]));
  });

  it.each([
    ["null", [replace("", null)]],
    ["an object", [add("", {})]],
    ["a text", [add("", "[]")]],
    ["a number", [replace("", 0)]],
    ["one of its variants", [copy("/0", "")]],
    ["a part of one of its variants", [move("/0/name", "")]],
    ["nothing", [remove("")]],
    ["a list with itself in it", [copy("", "/-")]],
  ])("but the result must be a list of variants, and not %s: 400", async (_, patch) => {
    const environments = { development: [amber, blue], production: [] };
    const feature = await addFeature(burgee, { environments });

    const answer = await burgee.patch(feature, patch);

    expect(answer).toEqual(refusedInDevelopment());
    expect((await burgee.storedEnvironment(feature, "development")).variants).toEqual([amber, blue]);
  });
});

describe("null counts as a value", () => {
  it.each(["add", "replace"])("of %s: it is the result that is refused then", async (op) => {
    const feature = await addFeature(burgee, { environments: { development: [amber], production: [] } });

    const answer = await burgee.patch(feature, [{ op, path: "/0/payload", value: null }]);

    expect(answer).toEqual(refusedInDevelopment("/0/payload"));
  });
});

describe("an operation is refused with 400, before any feature is looked at, if it", () => {
  it.each<[string, unknown, string]>([
    ["is a test", { op: "test", path: "/0", value: 1 }, "/0/op"],
    ["has an unknown op", { op: "merge", path: "/0" }, "/0/op"],
    ["has an op in capitals", { op: "ADD", path: "/0", value: 1 }, "/0/op"],
    ["has an empty op", { op: "", path: "/0" }, "/0/op"],
    ["has an op that is null", { op: null, path: "/0" }, "/0/op"],
    ["has no op", { path: "/0", value: 1 }, "/0/op"],
    ["is an add without a value", { op: "add", path: "/0" }, "/0/value"],
    ["is a replace without a value", { op: "replace", path: "/0" }, "/0/value"],
    ["is a copy without from", { op: "copy", path: "/0" }, "/0/from"],
    ["is a move without from", { op: "move", path: "/0" }, "/0/from"],
    ["has no path", { op: "remove" }, "/0/path"],
    ["has a path that is a number", { op: "remove", path: 0 }, "/0/path"],
    ["has a path that is null", { op: "remove", path: null }, "/0/path"],
    ["has a path without a slash", { op: "remove", path: "0" }, "/0/path"],
    ["has a path with a space before", { op: "remove", path: " /0" }, "/0/path"],
    ["has a path that is a URI fragment", { op: "remove", path: "#/0" }, "/0/path"],
    ["has a path with ~ at its end", { op: "remove", path: "/0/a~" }, "/0/path"],
    ["has a path with ~2", { op: "remove", path: "/0/~2" }, "/0/path"],
    ["has a from without a slash", { op: "copy", from: "0", path: "/-" }, "/0/from"],
    ["has a from with ~ alone", { op: "move", from: "/~", path: "/-" }, "/0/from"],
    ["is a text", "remove /0", "/0"],
    ["is null", null, "/0"],
    ["is a list", ["remove", "/0"], "/0"],
  ])("%s", async (_, operation, path) => {
    const answer = await burgee.patch("missing", [operation]);

    expect(answer).toEqual(invalid({ message: naming(path), details: faultsAt(path) }));
  });
});
