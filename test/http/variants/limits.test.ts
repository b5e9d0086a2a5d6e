/** What a patch may add up to. Bodies made to exhaust: test/fuzz, test/unit/features/json-patch/hostile.test.ts */
import { describe, expect, it } from "vitest";
import { faultsAt, invalid, naming, patchedTo } from "../../support/answers.ts";
import { useBurgee } from "../../support/burgee.ts";
import { add, copy, remove, replace, times } from "../../support/patching.ts";
import { addFeature, variant } from "../../support/seed.ts";

const burgee = useBurgee();

const large = (name: string, bytes: number, rest = {}) =>
  variant(name, { payload: { type: "string", value: "x".repeat(bytes) }, ...rest });

describe("a patch has at most 1,000 operations:", () => {
  it("1,000 are accepted", async () => {
    const feature = await addFeature(burgee);

    const answer = await burgee.patch(feature, [
      add("/-", { name: "blue", weight: 0 }),
      ...times(999, (index) => replace("/0/name", `blue-${index}`)),
    ]);

    expect(answer).toEqual(patchedTo([variant("blue-998")]));
  });

  it("1,001 are refused with 400 that names the limit", async () => {
    const patch = times(1001, () => replace("/0/name", "blue"));

    const answer = await burgee.patch("missing", patch);

    expect(answer).toEqual(invalid({ message: naming("1000"), details: faultsAt("") }));
  });
});

describe("an environment that would not fit in a stored item (400 KiB)", () => {
  it("fails after another that has room, in a dry run as well", async () => {
    const environments = { development: [], production: [large("blue", 300_000)] };
    const feature = await addFeature(burgee, { environments });
    const patch = [add("/-", large("red", 110_000))];

    const dry = await burgee.patch(feature, patch, { dryRun: true });
    const real = await burgee.patch(feature, patch);

    const details = [
      { environment: "development", outcome: "patched" },
      { environment: "production", outcome: "failed", message: naming("400 KiB") },
    ];
    expect(dry.json.environments).toMatchObject(details);
    expect(real).toEqual(invalid({ message: naming("production", "400 KiB"), details }));
    expect(await burgee.names(feature)).toEqual(["red"]);
    expect(await burgee.names(feature, "production")).toEqual(["blue"]);
  });

  it("is stored when it just fits", async () => {
    const feature = await addFeature(burgee, { environments: { development: [large("blue", 200_000)] } });

    const answer = await burgee.patch(feature, [add("/-", large("red", 190_000))]);

    const half = { weight: 500 };
    const hint = 'development: The weight 1000 of variant "red" has no effect';
    expect(answer).toEqual(patchedTo([large("blue", 200_000, half), large("red", 190_000, half)], { hint }));
  });
});

it("a patch that is too large halfway, and small at its end, is applied", async () => {
  const feature = await addFeature(burgee, { environments: { development: [large("blue", 200_000)] } });
  const copies = times(3, (index) => [copy("/0", "/-"), replace(`/${index + 1}/name`, `blue-${index}`)]);
  const removals = times(3, () => remove("/1"));

  const answer = await burgee.patch(feature, [...copies.flat(), ...removals, remove("/0/payload")]);

  expect(answer).toEqual(patchedTo([variant("blue")]));
});
