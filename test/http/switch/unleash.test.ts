/**
 * What Unleash's own tests of 6.10.1 say of on and off (`feature-toggles.e2e.test.ts`, `feature-toggles.auth.e2e.test.ts`),
 * and its code where they say nothing, each with what Burgee does. Where they differ, docs/FROM-UNLEASH.md has a row.
 */
import { beforeEach, describe, expect, it } from "vitest";
import { useBurgee } from "../../support/burgee.ts";
import { addFeature, variant } from "../../support/seed.ts";

const burgee = useBurgee();
const development = { environment: "development" };
let feature: string;
beforeEach(async () => {
  feature = await addFeature(burgee, { environments: { development: [variant("blue")], production: [] } });
});

const typed = { headers: { "content-type": "application/json" } };

async function isOn(): Promise<boolean> {
  const { json } = await burgee.getFeature(feature);
  return json.environments.find((one: { environment: string }) => one.environment === "development").enabled;
}

/** How many changes the list has of the environment. */
async function changes(): Promise<number> {
  return (await burgee.getChanges(feature, development)).json.changes.length;
}

describe("as in Unleash", () => {
  it("on, with a content type and no body, is 200, and the feature is on there", async () => {
    expect((await burgee.switch(feature, "on", { ...development, ...typed })).status).toBe(200);
    expect(await isOn()).toBe(true);
  });

  it("off, with {}, is 200, and the feature is off there", async () => {
    await burgee.switch(feature, "on", development);

    expect((await burgee.switch(feature, "off", { ...development, json: {} })).status).toBe(200);
    expect(await isOn()).toBe(false);
  });

  it.each(["on", "off"] as const)("%s in an environment that does not exist is 404", async (to) => {
    const place = { environment: "does-not-exist", json: {} };

    expect((await burgee.switch(feature, to, place)).status).toBe(404);
  });

  it.each(["on", "off"] as const)("%s of a feature that does not exist is 404", async (to) => {
    expect((await burgee.switch("does-not-exist", to, development)).status).toBe(404);
  });

  it("on by the path of another project is 404", async () => {
    expect((await burgee.switch(feature, "on", { ...development, project: "other" })).status).toBe(404);
  });

  it("on is one event of that feature and environment, and off another", async () => {
    await burgee.switch(feature, "on", development);
    expect(await changes()).toBe(1);
    await burgee.switch(feature, "off", development);
    expect(await changes()).toBe(2);
  });

  it.each(["on", "off"] as const)("%s twice is 200 twice, and one event", async (to) => {
    if (to === "off") await burgee.switch(feature, "on", development);
    const before = await changes();

    const first = await burgee.switch(feature, to, development);
    const second = await burgee.switch(feature, to, development);

    expect([first.status, second.status, (await changes()) - before]).toEqual([200, 200, 1]);
  });

  it("without UPDATE_FEATURE_ENVIRONMENT on is 403", async () => {
    const key = await burgee.keyWith({ permission: "UPDATE_FEATURE" });

    expect((await burgee.switch(feature, "on", { ...development, key })).status).toBe(403);
  });
});

describe("other than in Unleash", () => {
  it("on needs no permission to create strategies, as it creates none", async () => {
    const key = await burgee.keyWith({ permission: "UPDATE_FEATURE_ENVIRONMENT", ...development });

    expect((await burgee.switch(feature, "on", { ...development, key })).status).toBe(200);
  });

  it("shouldActivateDisabledStrategies is 400, as it would do nothing", async () => {
    const query = "shouldActivateDisabledStrategies=true";

    expect((await burgee.switch(feature, "on", { ...development, query })).status).toBe(400);
    expect(await isOn()).toBe(false);
  });

  it.each(["on", "off"])("there is no path to turn several features %s at once", async (to) => {
    const path = `/api/admin/projects/default/bulk_features/environments/development/${to}`;

    expect((await burgee.send({ method: "POST", path, json: { features: [feature] } })).status).toBe(404);
  });
});
