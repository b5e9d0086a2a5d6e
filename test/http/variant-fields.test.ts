import { describe, expect, it } from "vitest";
import type { Variant } from "../../lib/contract/variants.ts";
import { patchedTo } from "../support/answers.ts";
import { useBurgee } from "../support/burgee.ts";
import { addFeature, variant } from "../support/seed.ts";

const burgee = useBurgee();

const blue = { name: "blue", weight: 0 };

describe("a variant is accepted", () => {
  it.each<[string, unknown, Variant]>([
    ["with a name of 1 character", { name: "b", weight: 0 }, variant("b")],
    ["with a name of 100", { name: "b".repeat(100), weight: 0 }, variant("b".repeat(100))],
    [
      "with a name of all characters that are URL-friendly",
      { name: "aZ09-_.!~*'()", weight: 0 },
      variant("aZ09-_.!~*'()"),
    ],
    ["with a name of three dots", { name: "...", weight: 0 }, variant("...")],
    ["with a name that looks like an index", { name: "0", weight: 0 }, variant("0")],
    ["with weight 1000", { name: "blue", weight: 1000 }, variant("blue")],
    ["with weight 10e1, which is an integer", { name: "blue", weight: 10e1 }, variant("blue")],
    ["with weightType variable", { ...blue, weightType: "variable" }, variant("blue")],
    ["without weightType: it is variable", blue, variant("blue", { weightType: "variable" })],
    ["without stickiness: it is default", blue, variant("blue", { stickiness: "default" })],
    ["with a stickiness", { ...blue, stickiness: "userId" }, variant("blue", { stickiness: "userId" })],
    ...[
      { type: "json", value: "{}" },
      { type: "json", value: ' [1, {"a": null}] ' },
      { type: "string", value: "{" },
      { type: "csv", value: "a,b" },
      { type: "number", value: "not a number" },
      { type: "yaml", value: "a: 1" },
      { type: "JSON", value: "{" },
    ].map((payload): [string, unknown, Variant] => [
      `with the payload ${JSON.stringify(payload)}`,
      { ...blue, payload },
      variant("blue", { payload }),
    ]),
    ...[
      [],
      [{ contextName: "userId", values: ["1", "2"] }],
      [{ contextName: "userId", values: [] }],
      [
        { contextName: "region", values: ["eu", "eu"] },
        { contextName: "region", values: [" "] },
      ],
    ].map((overrides): [string, unknown, Variant] => [
      `with the overrides ${JSON.stringify(overrides)}`,
      { ...blue, overrides },
      variant("blue", { overrides }),
    ]),
  ])("%s", async (_, value, result) => {
    const feature = await addFeature(burgee);

    const answer = await burgee.patch(feature, [{ op: "add", path: "/-", value }]);

    expect(answer).toEqual(patchedTo([result]));
    const { variants } = await burgee.storedEnvironment(feature, "development");
    expect(variants).toEqual([result]);
  });
});
