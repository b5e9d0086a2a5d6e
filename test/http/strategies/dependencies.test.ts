/** Parent features, as Unleash's SDK evaluates them in the documents that are served. */
import { InMemStorageProvider, Unleash } from "unleash-client";
import { expect, it } from "vitest";
import type { Json } from "../../../lib/contract/json.ts";
import { useBurgee } from "../../support/burgee.ts";
import { add, replace } from "../../support/patching.ts";
import { addFeature, variant } from "../../support/seed.ts";

const burgee = useBurgee({}, { DOCUMENT_CACHE_SECONDS: "0" });
const production = { environment: "production" };
const documents = "/api/projects/default/environments/production";

async function sdk() {
  const { json } = await burgee.send({ method: "GET", path: `${documents}/client/features` });
  const client = new Unleash({
    appName: "test",
    url: "http://localhost",
    bootstrap: { data: json.features },
    disableMetrics: true,
    disableAutoStart: true,
    refreshInterval: 0,
    skipInstanceCountWarning: true,
    storageProvider: new InMemStorageProvider(),
  });
  await new Promise<void>((resolve) => {
    client.on("ready", () => resolve());
    client.on("error", () => {});
    void client.start();
  });
  return client;
}

it("a feature is on where its parents are as its dependencies say", async () => {
  const environments = { production: [variant("blue")] };
  const parent = await addFeature(burgee, { environments, enabled: true });
  const off = await addFeature(burgee, { environments, enabled: false });
  const cases: [Json[], boolean][] = [
    [[{ feature: parent }], true],
    [[{ feature: parent, variants: ["blue"] }], true],
    [[{ feature: parent, variants: ["red"] }], false],
    [[{ feature: off }], false],
    [[{ feature: off, enabled: false }], true],
    [[{ feature: parent }, { feature: off }], false],
    [[{ feature: "absent" }], false],
    [[], true],
  ];
  const children = await Promise.all(
    cases.map(async ([dependencies]) => {
      const child = await addFeature(burgee, { environments: { production: [] }, enabled: true });
      await burgee.patchFeature(child, [add("/dependencies", dependencies)], production);
      return child;
    }),
  );

  const client = await sdk();
  const seen = children.map((child) => client.isEnabled(child, { userId: "u" }));
  client.destroy();
  const flagd = await burgee.send({ method: "GET", path: `${documents}/flagd.json` });

  expect(seen).toEqual(cases.map(([, isOn]) => isOn));
  const inFlagd = children.map((child) => child in flagd.json.flags);
  expect(inFlagd).toEqual(cases.map(([dependencies]) => dependencies.length === 0));
  expect(flagd.headers["burgee-left-out"]).toBe(String(cases.length - 1));
});

it("a feature whose strategies are all disabled is on for no user, in both documents", async () => {
  const feature = await addFeature(burgee, { environments: { production: [] }, enabled: true });
  await burgee.patchFeature(
    feature,
    [replace("/strategies", { s1: { name: "default", disabled: true } })],
    production,
  );

  const client = await sdk();
  const isOn = client.isEnabled(feature, { userId: "u" });
  client.destroy();
  const { json } = await burgee.send({ method: "GET", path: `${documents}/flagd.json` });

  expect([isOn, json.flags[feature].state]).toEqual([false, "DISABLED"]);
});
