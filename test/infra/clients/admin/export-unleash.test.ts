/** `export --as unleash`, loaded and evaluated by Unleash's own client. */
import { once } from "node:events";
import path from "node:path";
import { InMemStorageProvider, Unleash } from "unleash-client";
import { afterAll, expect, it } from "vitest";
import { addFeature, projectOf } from "../../../support/seed.ts";
import { misused, newFolder, refused, useCommandLine } from "./command-line.ts";
import { half, lists, state } from "./exported.ts";

const line = await useCommandLine(state);

const exportUnleash = (...more: string[]) =>
  line.run("export --as unleash --environment production", ...more);

const filePath = path.join(newFolder().path, "features.json");
await exportUnleash(filePath);
const client = new Unleash({
  appName: "test",
  url: "http://127.0.0.1:9/api/",
  refreshInterval: 0,
  disableMetrics: true,
  skipInstanceCountWarning: true,
  storageProvider: new InMemStorageProvider(),
  bootstrap: { filePath },
});
client.on("error", () => {});
await once(client, "ready");
afterAll(() => client.destroy());

it("has the features of an environment as Unleash answers its SDKs, and reports what is left out", async () => {
  const { code, out, err } = await exportUnleash("--project", "default");

  const { features, ...rest } = JSON.parse(out);
  expect(code).toBe(0);
  expect(rest).toEqual({ version: 2, query: { environment: "production", project: ["default"] } });
  expect(features.map(({ name }: { name: string }) => name)).toEqual(Object.keys(lists));
  expect(features[1]).toEqual({
    name: "checkout",
    type: "release",
    project: "default",
    stale: false,
    impressionData: false,
    enabled: true,
    strategies: [{ name: "default", constraints: [], parameters: {}, variants: [] }],
    variants: lists.checkout,
  });
  expect(err).toBe(`
NOT AS STORED     WHY                              WHICH
tags           1  the format has none              checkout
environments   1  not in environment "production"  early
`);
});

it("gives users their overrides and payloads in Unleash's client, with every feature on", () => {
  const chosen = ["user-1", "user-2", "user-3"].map((userId) => client.getVariant("checkout", { userId }));
  expect(chosen.map(({ name }) => name)).toEqual(["red", "red", "violet"]);
  const payload = { type: "csv", value: "a,b,c" };
  expect(client.getVariant("constant", {})).toMatchObject({ name: "only", enabled: true, payload });
  expect(client.getVariant("empty", {})).toMatchObject({ name: "disabled", enabled: false });
  const enabled = ["empty", "checkout", "early"].filter((feature) => client.isEnabled(feature, {}));
  expect(enabled).toEqual(["empty", "checkout"]);
});

it("reports stickiness that is not the same for all variants", async () => {
  const production = [half("a"), half("b", { stickiness: "userId" })];
  await addFeature(line.burgee, { name: "odd", project: "web", environments: { production } });

  const { err } = await exportUnleash("--project", "web");
  const strict = await exportUnleash("--project", "web", "--strict");

  expect(err).toContain("stickiness     1  SDKs use that of the first variant for all  odd\n");
  const reason = "nothing was exported, because an SDK would evaluate a feature differently: stickiness";
  expect(strict).toEqual({ code: 1, out: "", err: `${err}burgee: ${reason}\n` });
});

it.each(["unleash", "flagd"])("reports disabled strategies in a document of %s", async (format) => {
  const strategies = [{ id: "s", name: "default", parameters: {}, constraints: [], disabled: true }];
  const production = { enabled: true, variants: [], strategies };
  await line.apply({
    projects: [projectOf("paused", "production")],
    features: [{ name: "paused", project: "paused", environments: { production } }],
  });

  const { err } = await line.run(`export --as ${format} --environment production --project paused`);

  expect(err).toContain("disabled strategies  1  the format has none  paused\n");
});

it.each([
  ["--as unleash", misused("--as needs --environment: a document covers one environment")],
  ["--environment production", misused("--environment needs --as: a state file has all environments")],
  [
    "--as unleash --environment production --project wev",
    refused('there is no project "wev" (did you mean "web"?)'),
  ],
])("export %s is refused", async (options, refusal) => {
  expect(await line.run(`export ${options}`)).toEqual(refusal);
});
