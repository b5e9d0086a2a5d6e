/** The example of CONTRIBUTING.md. */
import { expect, it } from "vitest";
import { useBurgee } from "../../support/burgee.ts";
import { add } from "../../support/patching.ts";
import { addFeature, variant } from "../../support/seed.ts";

const burgee = useBurgee();

it("a patch of one environment writes no other", async () => {
  const environments = { development: [variant("blue")], production: [variant("blue")] };
  const feature = await addFeature(burgee, { environments });
  const adding = [add("/-", { name: "red", weight: 1 })];

  const { status } = await burgee.patchVariants(feature, adding, { environment: "production" });

  expect(status).toBe(200);
  expect(await burgee.names(feature, "production")).toEqual(["blue", "red"]);
  expect(burgee.writes()).toEqual(["production"]);
});
