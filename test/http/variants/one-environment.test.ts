import { describe, expect, it } from "vitest";
import type { Permit } from "../../../lib/contract/permissions.ts";
import { invalid, naming, noAccess, notFound, patchedTo } from "../../support/answers.ts";
import { useBurgee } from "../../support/burgee.ts";
import { add } from "../../support/patching.ts";
import { addFeature, variant } from "../../support/seed.ts";

const blue = variant("blue");
const halves = [variant("blue", { weight: 500 }), variant("red", { weight: 500 })];
const addRed = [add("/-", { name: "red", weight: 7 })];
const environments = { development: [blue], production: [blue] };
const environment = "production";

const burgee = useBurgee();

describe("a patch of one environment", () => {
  it("is applied there and nowhere else, with weights dealt, and answers what is stored", async () => {
    const feature = await addFeature(burgee, { environments });

    const answer = await burgee.patch(feature, addRed, { environment });

    expect(answer).toEqual(patchedTo(halves, "production=patched"));
    expect(await burgee.storedEnvironment(feature, "production")).toMatchObject({
      project: "default",
      variants: halves,
      revision: 2,
      changed: { feature, by: "admin", at: expect.any(String), request: expect.any(String) },
    });
    expect(await burgee.storedEnvironment(feature, "development")).toMatchObject({
      variants: [blue],
      revision: 1,
    });
  });

  it("that leaves it as it was writes nothing", async () => {
    const feature = await addFeature(burgee, { environments });

    const answer = await burgee.patch(feature, [add("/0/weight", 3)], { environment });

    expect(answer).toEqual(patchedTo([blue], "production=unchanged"));
    expect(await burgee.storedEnvironment(feature, environment)).toMatchObject({ revision: 1 });
  });

  it("that is not valid there is refused, and nothing is stored", async () => {
    const feature = await addFeature(burgee, { environments });

    const answer = await burgee.patch(feature, [...addRed, add("/9/name", "x")], { environment });

    const message = naming("operation 1", "/9/name");
    const details = [{ environment, outcome: "failed", message }];
    expect(answer).toEqual(invalid({ message, details }));
    expect(await burgee.storedEnvironment(feature, environment)).toMatchObject({
      variants: [blue],
      revision: 1,
    });
  });

  it.each([
    ["an unknown environment", { environment: "nowhere" }],
    ["an unknown project", { project: "nothing", environment }],
  ])("in %s is answered with 404", async (_, place) => {
    const feature = await addFeature(burgee, { environments });

    expect(await burgee.patch(feature, addRed, place)).toEqual(notFound());
  });

  it("of an unknown feature is answered with 404", async () => {
    expect(await burgee.patch("nothing", addRed, { environment })).toEqual(notFound());
  });

  it("in an environment that the feature has not any more is answered with 404", async () => {
    const feature = await addFeature(burgee, { environments });
    await burgee.remove(await burgee.storedEnvironment(feature, environment));

    expect(await burgee.patch(feature, addRed, { environment })).toEqual(notFound());
  });

  it("reads the feature and that environment only, however many there are", async () => {
    const feature = await addFeature(burgee, { environments });
    await burgee.patch(feature, []);
    burgee.wire.reset();

    await burgee.patch(feature, addRed, { environment });

    expect(burgee.wire.calls.map(({ operation }) => operation)).toEqual(["GetItem", "GetItem", "UpdateItem"]);
  });
});

describe("a patch of one environment needs UPDATE_FEATURE_ENVIRONMENT_VARIANTS in it:", () => {
  const permission = "UPDATE_FEATURE_ENVIRONMENT_VARIANTS";

  it.each<[string, Permit]>([
    ["everywhere", { permission }],
    ["in the project", { permission, project: "default" }],
    ["in the environment", { permission, project: "default", environment }],
    ["in the environment of any project", { permission, environment }],
    ["as ADMIN", { permission: "ADMIN" }],
    ["as ADMIN in the environment", { permission: "ADMIN", project: "default", environment }],
  ])("%s", async (_, permit) => {
    const feature = await addFeature(burgee, { environments });
    const key = await burgee.keyWith(permit);

    const answer = await burgee.patch(feature, addRed, { environment, key });

    expect(answer).toEqual(patchedTo(halves));
  });

  it.each<[string, Permit[]]>([
    ["nothing", []],
    ["another permission", [{ permission: "UPDATE_FEATURE_VARIANTS" }]],
    ["another environment", [{ permission, environment: "development" }]],
    ["another project", [{ permission, project: "other" }]],
    ["that environment of another project", [{ permission, project: "other", environment }]],
  ])("a key for %s is refused with 403, before the body or the feature is looked at", async (_, permits) => {
    const key = await burgee.keyWith(...permits);

    const answer = await burgee.patch("nothing", undefined, { environment, key, body: "{" });

    expect(answer).toEqual(noAccess({ message: naming(permission, "production", "default") }));
  });
});
