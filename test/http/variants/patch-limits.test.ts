import { describe, expect, it } from "vitest";
import { faultsAt, invalid, naming, patchedTo, refusedInDevelopment } from "../../support/answers.ts";
import { useBurgee } from "../../support/burgee.ts";
import { add, copy, replace, times } from "../../support/patching.ts";
import { addFeature, variant } from "../../support/seed.ts";

const burgee = useBurgee();

const large = (name: string, bytes: number, rest = {}) =>
  variant(name, { payload: { type: "string", value: "x".repeat(bytes) }, ...rest });

describe("a patch has at most 1,000 operations", () => {
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

describe("an environment that would not fit in a stored item (400 KB) is refused with 400 that names it and the limit", () => {
  async function expectNothingStored(feature: string): Promise<void> {
    for (const environment of ["development", "production"]) {
      expect((await burgee.storedEnvironment(feature, environment)).revision).toBe(1);
    }
  }

  it("by what is added to it, and nothing of it is stored", async () => {
    const development = [large("blue", 300_000)];
    const feature = await addFeature(burgee, { environments: { development, production: [] } });

    const answer = await burgee.patch(feature, [add("/-", large("red", 110_000))]);

    expect(answer).toEqual(refusedInDevelopment("0", "add", "/-", "400 KB"));
    await expectNothingStored(feature);
  });

  it("by copies of what is in it, and nothing of it is stored", async () => {
    const development = [large("blue", 50_000)];
    const feature = await addFeature(burgee, { environments: { development, production: [] } });

    const answer = await burgee.patch(
      feature,
      times(24, () => copy("/0", "/-")),
    );

    expect(answer).toEqual(refusedInDevelopment("7", "copy", "/0", "/-", "400 KB"));
    await expectNothingStored(feature);
  });

  it("by copies of the whole list into itself, however few operations they take", async () => {
    const development = [large("blue", 1000)];
    const feature = await addFeature(burgee, { environments: { development, production: [] } });

    const answer = await burgee.patch(
      feature,
      times(24, () => copy("", "/-")),
    );

    expect(answer).toEqual(refusedInDevelopment("copy", "/-"));
    await expectNothingStored(feature);
  });

  it("by what is stored beside its variants, and nothing of it is stored", async () => {
    const development = [large("blue", 409_000 - 200_000)];
    const feature = await addFeature(burgee, { environments: { development, production: [] } });

    const answer = await burgee.patch(feature, [add("/-", large("red", 200_300))]);

    expect(answer).toEqual(refusedInDevelopment("400 KB"));
    await expectNothingStored(feature);
  });

  it("while an environment before it that has room stays patched", async () => {
    const environments = { development: [], production: [large("blue", 300_000)] };
    const feature = await addFeature(burgee, { environments });

    const answer = await burgee.patch(feature, [add("/-", large("red", 110_000))]);

    expect(answer).toEqual(
      invalid({
        message: naming("production", "400 KB"),
        details: [
          { environment: "development", outcome: "patched" },
          { environment: "production", outcome: "failed", message: naming("400 KB") },
        ],
      }),
    );
    expect((await burgee.storedEnvironment(feature, "development")).variants).toEqual([
      large("red", 110_000),
    ]);
    expect((await burgee.storedEnvironment(feature, "production")).variants).toEqual([
      large("blue", 300_000),
    ]);
  });

  it("and one that fits is stored", async () => {
    const feature = await addFeature(burgee, { environments: { development: [large("blue", 200_000)] } });

    const answer = await burgee.patch(feature, [add("/-", large("red", 190_000))]);

    const half = { weight: 500 };
    expect(answer).toEqual(patchedTo([large("blue", 200_000, half), large("red", 190_000, half)]));
  });
});

describe("a list that a patch builds", () => {
  it("nests at most 32 levels: an operation that would go deeper is refused with 400 that names the limit", async () => {
    const feature = await addFeature(burgee);
    const deeper = times(40, (level) => add(`${"/0".repeat(level)}/-`, []));

    const answer = await burgee.patch(feature, deeper);

    expect(answer).toEqual(refusedInDevelopment("31", "add", "32 levels"));
  });
});
