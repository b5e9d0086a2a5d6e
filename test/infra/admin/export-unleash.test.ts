/** `export --as unleash`, loaded and evaluated by Unleash's own client. */
import { once } from "node:events";
import { readFileSync } from "node:fs";
import path from "node:path";
import { InMemStorageProvider, Unleash } from "unleash-client";
import { afterAll, expect, it } from "vitest";
import { addFeature } from "../../support/seed.ts";
import { fileOf, misused, newFolder, refused, useCommandLine } from "./command-line.ts";
import { half, lists, onForEveryone, state } from "./exported.ts";

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
    strategies: [{ name: "default", constraints: [], parameters: {} }],
    variants: lists.checkout,
  });
  expect(err).toBe(`${onForEveryone}
NOT AS STORED     WHY                              WHICH
tags           1  the format has none              checkout
features       1  not in environment "production"  early
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

it("--into replaces the variants in a document, and keeps a rollout to half of the users of one app", async () => {
  const constraints = [{ contextName: "appName", operator: "IN", values: ["shop"], inverted: false }];
  const parameters = { rollout: "50", stickiness: "userId", groupId: "checkout" };
  const strategies = [{ name: "flexibleRollout", constraints, parameters }];
  const own = [{ name: "default", parameters: {}, variants: [{ name: "theirs", weight: 1000 }] }];
  const checkout = { name: "checkout", enabled: true, strategies, impressionData: true, variants: [] };
  const features = [
    { name: "elsewhere", enabled: false, strategies: [], variants: [half("kept")] },
    checkout,
    { name: "constant", enabled: true, strategies: own, variants: [] },
    { name: "empty", enabled: true, strategies, variants: [] },
  ];
  const into = fileOf({ version: 1, features, segments: [{ id: 1, constraints: [] }] });

  const { code, out, err } = await exportUnleash("--project", "default", "--into", into);
  const strict = await exportUnleash("--project", "default", "--into", into, "--strict");

  const document = JSON.parse(out);
  const updated = { ...checkout, variants: lists.checkout };
  expect([code, document.features.slice(0, 2)]).toEqual([0, [features[0], updated]]);
  expect(document).toMatchObject({ version: 1, segments: [{ id: 1 }] });
  expect(err).toContain("features       2  the file lacks them");
  expect(err).toContain("the strategies in the file have their own, which win  constant\n");
  expect(err).not.toMatch(/for everyone|empty/);
  expect(strict).toMatchObject({ code: 1, out: "" });
});

const oldAndNew = [half("old"), half("blue")];

it.each([
  ["keeps a live list", "has no variants", [], oldAndNew, "Burgee has none: the file keeps its own  live"],
  [
    "removes a variant",
    "no longer has it",
    [half("blue"), half("green")],
    [half("blue"), half("green")],
    "the feature lacks them: they are removed  live: old",
  ],
])(
  "--into %s where the feature %s, and says so; --strict fails",
  async (_, __, production, expected, why) => {
    await addFeature(line.burgee, { name: "live", project: "web", environments: { production } });
    const into = fileOf({ features: [{ name: "live", enabled: true, strategies: [], variants: oldAndNew }] });

    const { code, out, err } = await exportUnleash("--project", "web", "--into", into);
    const strict = await exportUnleash("--project", "web", "--into", into, "--strict", into);

    expect([code, JSON.parse(out).features[0].variants]).toEqual([0, expected]);
    expect(err).toContain(why);
    expect(strict.code).toBe(1);
    // Not for another feature that the file lacks.
    expect(strict.err).toMatch(/evaluate a feature differently: .*variants/);
    expect(JSON.parse(readFileSync(into, "utf8")).features[0].variants).toEqual(oldAndNew);
  },
);

it("reports stickiness that is not the same for all variants", async () => {
  const production = [half("a"), half("b", { stickiness: "userId" })];
  await addFeature(line.burgee, { name: "odd", project: "web", environments: { production } });

  const { err } = await exportUnleash("--project", "web");
  const into = fileOf(JSON.parse((await exportUnleash("--project", "web")).out));
  const strict = await exportUnleash("--project", "web", "--strict", "--into", into);

  expect(err).toContain("stickiness     1  SDKs use that of the first variant for all  odd\n");
  const reason = "nothing was exported, because an SDK would evaluate a feature differently: stickiness";
  expect(strict).toEqual({ code: 1, out: "", err: `${err.replace(onForEveryone, "")}burgee: ${reason}\n` });
});

const features = fileOf({ features: [{ name: "live", project: "web" }] });

it.each([
  ["--as unleash", misused("--as needs --environment: a document covers one environment")],
  [
    "--environment production",
    misused("--environment, --project, --into and --strict need --as: a state file has everything"),
  ],
  [
    "--as unleash --environment production --strict",
    refused(`nothing was exported: ${onForEveryone.slice(6, -2)}`),
  ],
  [
    "--as unleash --environment production --into package.json",
    refused("package.json is not a document of Unleash's client features: /features is required"),
  ],
  [
    // Such as Unleash's own export, which has the same names in another form.
    `--as unleash --environment production --into ${features}`,
    refused(`${features} is not a document of Unleash's client features: /features/0/enabled is required`),
  ],
  [
    "--as unleash --environment production --project wev",
    refused('there is no project "wev" (did you mean "web"?)'),
  ],
])("export %s is refused", async (options, refusal) => {
  expect(await line.run(`export ${options}`)).toEqual(refusal);
});
