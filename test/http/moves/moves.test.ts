/** Who moves, in dry runs and in the list of changes. */
import { beforeEach, describe, expect, it } from "vitest";
import { useBurgee } from "../../support/burgee.ts";
import { add, replace } from "../../support/patching.ts";
import { addFeature, variant } from "../../support/seed.ts";

const burgee = useBurgee();
const red = { weight: 100, weightType: "fix" };
const moved = [
  { from: "green", to: "red", share: 0.1 },
  { from: "blue", to: "green", share: 0.05 },
];
const lost = [
  { from: "blue", to: null, share: 0.5 },
  { from: "green", to: null, share: 0.5 },
];

let feature: string;
beforeEach(async () => {
  feature = await addFeature(burgee, {
    environments: {
      production: [variant("blue", { weight: 500 }), variant("green", { weight: 500 })],
    },
    enabled: true,
  });
});

describe("a dry run has who moves", () => {
  it.each([
    [
      "of a patch of the variants",
      () => burgee.patchVariants(feature, [add("/-", { name: "red", ...red })], dryRun),
    ],
    ["by name", () => burgee.patchVariants(feature, [add("/red", red)], { query: "by=name&dryRun=true" })],
    ["of the environment", () => burgee.patchFeature(feature, [add("/variants/red", red)], dryRun)],
  ])("%s", async (_, send) => {
    const { json } = await send();

    expect(json.environments).toMatchObject([{ environment: "production", moves: moved }]);
  });

  const dryRun = { dryRun: true };

  it("of a switch, an undo and a strategy", async () => {
    const off = await burgee.switch(feature, "off", dryRun);
    const { headers } = await burgee.switch(feature, "off");
    const undo = await burgee.undo(feature, headers["burgee-change"] ?? "", dryRun);
    await burgee.switch(feature, "on");
    const strategy = { name: "flexibleRollout", parameters: { rollout: "50", groupId: "g" } };
    const rollout = await burgee.patchFeature(feature, [add("/strategies/s1", strategy)], dryRun);

    const gained = lost.map(({ from, to, share }) => ({ from: to, to: from, share }));
    const halved = lost.map((one) => ({ ...one, share: 0.25 }));
    expect([off, undo, rollout].map(({ json }) => json.environments[0].moves)).toEqual([
      lost,
      gained,
      halved,
    ]);
  });

  it("that is empty where none does, and absent where the request would fail", async () => {
    const same = await burgee.patchVariants(feature, [replace("/0/weightType", "variable")], dryRun);
    const failed = await burgee.patchVariants(feature, [replace("/7/weight", 1)], dryRun);

    expect(same.json.environments[0]).toMatchObject({ outcome: "unchanged", moves: [] });
    expect(failed.json.environments[0]).not.toHaveProperty("moves");
  });
});

it("a strategy moves no user to whom another gives the same", async () => {
  const strategy = { name: "flexibleRollout", parameters: { rollout: "100", groupId: "g" } };
  const both = [add("/strategies/s1", strategy), add("/strategies/s2", strategy)];
  await burgee.patchFeature(feature, both);
  const halved = [replace("/strategies/s1/parameters/rollout", "50")];

  const { json } = await burgee.patchFeature(feature, halved, { query: "dryRun=true" });
  const { status } = await burgee.patchFeature(feature, halved, { headers: { "burgee-most-moves": "0" } });

  expect([json.environments[0].moves, status]).toEqual([[], 200]);
});

it("the list has who moved by each change", async () => {
  const { headers } = await burgee.patchFeature(feature, [add("/variants/red", red)]);
  await burgee.undo(feature, headers["burgee-change"] ?? "");

  const { json } = await burgee.getChanges(feature);

  const back = [
    { from: "red", to: "green", share: 0.1 },
    { from: "green", to: "blue", share: 0.05 },
  ];
  expect(json.changes.map(({ environments }: never) => environments)).toMatchObject([
    [{ environment: "production", moves: back }],
    [{ environment: "production", moves: moved }],
  ]);
});
