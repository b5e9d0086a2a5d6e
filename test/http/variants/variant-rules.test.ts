/** The result of a patch is validated and normalised. Every rule: test/unit/contract/variants.test.ts and test/unit/features */
import { describe, expect, it } from "vitest";
import type { Variant } from "../../../lib/contract/variants.ts";
import { patchedTo, refusedInDevelopment } from "../../support/answers.ts";
import { useBurgee } from "../../support/burgee.ts";
import { add, remove, replace } from "../../support/patching.ts";
import { addFeature, variant } from "../../support/seed.ts";

const burgee = useBurgee();

const blue = { name: "blue", weight: 0 };
const variable = (name: string, weight = 0) => ({ name, weight });
const fix = (name: string, weight: number) => ({ name, weight, weightType: "fix" });

describe("the result of a patch", () => {
  it("gets its defaults, and is stored with every field", async () => {
    const feature = await addFeature(burgee);
    const all = {
      stickiness: "userId",
      payload: { type: "json", value: ' [1, {"a": null}] ' },
      overrides: [{ contextName: "region", values: ["eu", "eu"] }],
    };

    const answer = await burgee.patch(feature, [
      add("/-", blue),
      add("/-", { ...blue, name: "red", ...all }),
    ]);

    const stored = [variant("blue", { weight: 500 }), variant("red", { weight: 500, ...all })];
    expect(answer).toEqual(patchedTo(stored));
    expect((await burgee.storedEnvironment(feature, "development")).variants).toEqual(stored);
  });

  it("is validated after the last operation only", async () => {
    const feature = await addFeature(burgee);
    const steps = [add("/-", {}), add("/0/name", "blue"), add("/0/weight", 0)];

    expect(await burgee.patch(feature, steps)).toEqual(patchedTo([variant("blue")]));
  });

  it.each<[string, Variant[], result: unknown[], words: string[]]>([
    ["an unknown member", [], [{ ...blue, color: "#00f" }], ["/0/color"]],
    ["null", [], [null], ["/0"]],
    ["the name of another variant", [variant("blue")], [blue], ["/1/name", "unique"]],
    ["fix weights over 1000 in total", [], [fix("a", 500), fix("b", 501), variable("c")], ["1000"]],
  ])("is refused with 400, and nothing is written: %s", async (_, stored, added, words) => {
    const feature = await addFeature(burgee, { environments: { development: stored, production: [] } });

    const answer = await burgee.patch(
      feature,
      added.map((value) => ({ op: "add", path: "/-", value })),
    );

    expect(answer).toEqual(refusedInDevelopment(...words));
    expect(burgee.writes()).toEqual([]);
  });

  it("keeps a variable variant: the removal of the last one is refused", async () => {
    const development = [variant("a"), variant("b", { weight: 0, weightType: "fix" })];
    const feature = await addFeature(burgee, { environments: { development, production: [] } });

    expect(await burgee.patch(feature, [remove("/0")])).toEqual(refusedInDevelopment("variable"));
  });

  it.each<[string, object[], [name: string, weight: number][]]>([
    [
      "keeps a fix weight",
      [fix("a", 300), variable("b"), variable("c")],
      [
        ["a", 300],
        ["b", 350],
        ["c", 350],
      ],
    ],
    ["may be empty", [], []],
    [
      "gives the rest of a division to the first in the patch's order, not by name",
      ["c", "a", "b"].map((name) => variable(name)),
      [
        ["a", 333],
        ["b", 333],
        ["c", 334],
      ],
    ],
  ])("%s", async (_, value, expected) => {
    const feature = await addFeature(burgee, { environments: { development: [variant("z")] } });

    const { status, json } = await burgee.patch(feature, [{ op: "replace", path: "", value }]);

    expect(status).toBe(200);
    expect(json.variants.map(({ name, weight }: Variant) => [name, weight])).toEqual(expected);
    expect((await burgee.storedEnvironment(feature, "development")).variants).toEqual(json.variants);
  });

  it("is the list that the next patch's indices address, with weights that sum to 1000", async () => {
    const feature = await addFeature(burgee);
    const steps: [patch: object[], names: string[]][] = [
      [
        [add("/-", variable("b", 10)), add("/-", variable("a", 10))],
        ["a", "b"],
      ],
      [[add("/-", fix("c", 333))], ["a", "b", "c"]],
      [[replace("/2/weight", 1)], ["a", "b", "c"]],
      [[add("/-", variable("d"))], ["a", "b", "c", "d"]],
      [[replace("/0/weightType", "fix")], ["a", "b", "c", "d"]],
      [[replace("/1/name", "z")], ["a", "c", "d", "z"]],
      [[remove("/0")], ["c", "d", "z"]],
    ];

    for (const [patch, names] of steps) {
      const { json } = await burgee.patch(feature, patch);

      expect(json.variants.map(({ name }: Variant) => name)).toEqual(names);
      expect(json.variants.reduce((sum: number, { weight }: Variant) => sum + weight, 0)).toBe(1000);
    }
  });
});
