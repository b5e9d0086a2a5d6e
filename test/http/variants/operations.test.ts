/** What each operation does to a list of variants. All forms of an operation: test/unit/contract/patch.test.ts */
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
      "add at - appends",
      [add("/-", green)],
      [
        variant("amber", { weight: 334, payload }),
        variant("blue", { weight: 333 }),
        variant("green", { weight: 333 }),
      ],
    ],
    ["add sets a member", [add("/1/payload", payload)], [amber, { ...blue, payload }]],
    [
      "add replaces a member that is there",
      [add("/0/stickiness", "id")],
      [{ ...amber, stickiness: "id" }, blue],
    ],
    ["remove takes an element out", [remove("/0")], [variant("blue")]],
    ["remove of every variant leaves none", [remove("/1"), remove("/0")], []],
    ["replace changes a member", [replace("/1/name", "cyan")], [amber, variant("cyan", { weight: 500 })]],
    [
      "replace reaches into a payload",
      [replace("/0/payload/value", "[1]")],
      [{ ...amber, payload: { type: "json", value: "[1]" } }, blue],
    ],
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
    ["an object", [add("", {})]],
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
    ["is an add without a value", { op: "add", path: "/0" }, "/0/value"],
    ["is a copy without from", { op: "copy", path: "/0" }, "/0/from"],
    ["has a path without a slash", { op: "remove", path: "0" }, "/0/path"],
    ["has a path with ~2", { op: "remove", path: "/0/~2" }, "/0/path"],
    ["is a text", "remove /0", "/0"],
  ])("%s", async (_, operation, path) => {
    const answer = await burgee.patch("missing", [operation]);

    expect(answer).toEqual(invalid({ message: naming(path), details: faultsAt(path) }));
  });
});
