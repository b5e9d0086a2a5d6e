import { describe, expect, it } from "vitest";
import { notFound, patchedNowhere, patchedTo } from "../../support/answers.ts";
import { useBurgee } from "../../support/burgee.ts";
import { add } from "../../support/patching.ts";
import { addFeature, variant } from "../../support/seed.ts";

const burgee = useBurgee();

const addBlue = [add("/-", { name: "blue", weight: 0 })];
const half = { weight: 500 };

/** The environments in the order in which they were written. */
const written = () =>
  burgee.wire.calls
    .filter(({ operation }) => operation === "UpdateItem")
    .map(({ input }) => JSON.stringify(input.Key).match(/ENVIRONMENT#(\w+)/)?.[1]);

describe("a patch is applied to the variants of the feature in every environment", () => {
  it("each environment's list is patched by itself", async () => {
    const environments = {
      development: [],
      staging: [variant("red")],
      production: [variant("amber", half), variant("red", half)],
    };
    const feature = await addFeature(burgee, { environments });

    await burgee.patch(feature, addBlue);

    const lists = await Promise.all(
      Object.keys(environments).map((environment) => burgee.storedEnvironment(feature, environment)),
    );
    expect(lists.map(({ variants }) => variants)).toEqual([
      [variant("blue")],
      [variant("blue", half), variant("red", half)],
      [variant("amber", { weight: 334 }), variant("blue", { weight: 333 }), variant("red", { weight: 333 })],
    ]);
  });

  it("one after the other, in the order of the project", async () => {
    const environments = { production: [], alpha: [], test: [], beta: [] };
    const feature = await addFeature(burgee, { environments });

    await burgee.patch(feature, addBlue);

    expect(written()).toEqual(["production", "alpha", "test", "beta"]);
  });

  it("those that the feature has, not all that its project has", async () => {
    const feature = "feature-of-two-environments";
    const none = { variants: [] };
    await burgee.store({
      projects: [{ id: "default", environments: ["test", "development", "staging", "production"] }],
      features: [
        { name: feature, project: "default", environments: { production: none, development: none } },
      ],
    });

    await burgee.patch(feature, addBlue);

    expect(written()).toEqual(["development", "production"]);
  });

  it("the answer's variants are those of the first environment, as stored after the patch", async () => {
    const environments = { production: [variant("red")], alpha: [variant("amber")] };
    const feature = await addFeature(burgee, { environments });

    const answer = await burgee.patch(feature, addBlue);

    const { variants } = await burgee.storedEnvironment(feature, "production");
    expect(answer).toEqual(patchedTo([variant("blue", half), variant("red", half)]));
    expect(answer.json.variants).toEqual(variants);
  });

  it("each environment gets the patch as it was sent: what one made of an added value reaches no other", async () => {
    const feature = await addFeature(burgee);
    const override = { contextName: "userId", values: ["1"] };

    const answer = await burgee.patch(feature, [
      add("/-", { name: "blue", weight: 0, overrides: [] }),
      add("/0/overrides/-", override),
    ]);

    const { variants } = await burgee.storedEnvironment(feature, "production");
    expect(answer).toEqual(patchedTo([variant("blue", { overrides: [override] })]));
    expect(variants).toEqual(answer.json.variants);
  });

  it("a feature without environments is answered with 200 and an empty list", async () => {
    const feature = await addFeature(burgee, { environments: {} });

    const answer = await burgee.patch(feature, addBlue);

    expect(answer).toEqual(patchedNowhere());
  });

  it("a change of one feature leaves another as it was", async () => {
    const feature = await addFeature(burgee);
    const other = await addFeature(burgee);

    await burgee.patch(feature, addBlue);

    expect((await burgee.storedEnvironment(other, "development")).variants).toEqual([]);
  });

  it("none is lost when others patch the same feature at the same time, and each environment has whole lists", async () => {
    const feature = await addFeature(burgee);
    const names = Array.from({ length: 8 }, (_, index) => `variant-${index}`);

    const answers = await Promise.all(
      names.map((name) => burgee.patch(feature, [add("/-", { name, weight: 0 })])),
    );

    expect(answers.map(({ status }) => status)).toEqual(names.map(() => 200));
    for (const environment of ["development", "production"]) {
      const { variants } = await burgee.storedEnvironment(feature, environment);
      expect(variants).toEqual(names.map((name) => variant(name, { weight: 125 })));
    }
  });
});

describe("a patch is refused with 404", () => {
  it.each([
    ["a non-empty patch", addBlue],
    ["an empty patch", []],
  ])("of an unknown project, an unknown feature, and a feature of another project: %s", async (_, patch) => {
    const feature = await addFeature(burgee, { project: "its-own" });
    await addFeature(burgee, { project: "default" });

    const unknownProject = await burgee.patch(feature, patch, { project: "missing" });
    const unknownFeature = await burgee.patch("missing", patch);
    const otherProject = await burgee.patch(feature, patch, { project: "default" });

    expect([unknownProject, unknownFeature, otherProject]).toEqual([notFound(), notFound(), notFound()]);
    expect((await burgee.storedEnvironment(feature, "development")).revision).toBe(1);
  });

  it("with the same body but for the names, so that another project's features stay unknown", async () => {
    const name = "feature-of-another-project";
    await addFeature(burgee, { name, project: "its-own" });

    const otherProject = await burgee.patch(name, addBlue);
    const unknown = await burgee.patch("missing", addBlue);

    expect(otherProject.json.message.replace(name, "")).toBe(unknown.json.message.replace("missing", ""));
  });
});
