import { describe, expect, it } from "vitest";
import type { Variant } from "../../../lib/contract/variants.ts";
import { useBurgee } from "../../support/burgee.ts";
import { add, remove, replace } from "../../support/patching.ts";
import { addFeature, variant } from "../../support/seed.ts";

const burgee = useBurgee();

const variable = (name: string) => ({ name, weight: 0 });

describe("variants are sorted by name as in English", () => {
  it.each([["small letters before the same capitals, whatever follows", ["a", "A", "b", "B"]]])(
    "%s",
    async (_, names) => {
      const feature = await addFeature(burgee);

      const { json } = await burgee.patch(feature, [
        add(
          "",
          names.toReversed().map((name) => variable(name)),
        ),
      ]);

      expect(json.variants.map(({ name }: Variant) => name)).toEqual(names);
      const { variants } = await burgee.storedEnvironment(feature, "production");
      expect(variants).toEqual(json.variants);
    },
  );

  it("an index in a later patch is an index into that order", async () => {
    const feature = await addFeature(burgee);
    await burgee.patch(feature, [
      add(
        "",
        ["c", "a", "b"].map((name) => variable(name)),
      ),
    ]);

    const { json } = await burgee.patch(feature, [remove("/0")]);

    expect(json.variants.map(({ name }: Variant) => name)).toEqual(["b", "c"]);
  });

  it("a renamed variant takes its new place", async () => {
    const environments = { development: [variant("a", { weight: 500 }), variant("b", { weight: 500 })] };
    const feature = await addFeature(burgee, { environments });

    const { json } = await burgee.patch(feature, [replace("/0/name", "z")]);

    expect(json.variants.map(({ name }: Variant) => name)).toEqual(["b", "z"]);
  });
});
