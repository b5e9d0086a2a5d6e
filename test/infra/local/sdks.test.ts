/** Real SDKs that poll the local server: how soon they evaluate a patch, and how they spread users. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { setTimeout } from "node:timers/promises";
import { FlagdCore } from "@openfeature/flagd-core";
import { InMemStorageProvider, Unleash } from "unleash-client";
import { describe, expect, it, onTestFinished } from "vitest";
import { times } from "../../support/patching.ts";
import { runNode } from "../../support/program.ts";
import { type LocalServer, startServer, startServerWith } from "../../support/server.ts";

const key = "burgee-demo-key-for-this-machine";
const silent = { error() {}, warn() {}, info() {}, debug() {} };
const documents = "/api/projects/default/environments/production";
const intervalMs = 1000;

async function open(settings: NodeJS.ProcessEnv = {}): Promise<LocalServer> {
  const server = await startServerWith(settings);
  onTestFinished(() => void server.kill());
  return server;
}

async function startUnleash(url: string): Promise<Unleash> {
  const client = new Unleash({
    appName: "test",
    url: url + documents,
    customHeaders: { Authorization: key },
    refreshInterval: intervalMs,
    disableMetrics: true,
    skipInstanceCountWarning: true,
    storageProvider: new InMemStorageProvider(),
  });
  onTestFinished(() => client.destroy());
  client.on("error", () => {});
  await once(client, "synchronized");
  return client;
}

/** As flagd's HTTP sync does. */
async function startFlagd(url: string): Promise<{ core: FlagdCore; statuses: number[] }> {
  const core = new FlagdCore(undefined, silent);
  const statuses: number[] = [];
  let etag = "";
  async function poll() {
    const headers = { authorization: `Bearer ${key}`, "if-none-match": etag };
    const response = await fetch(`${url}${documents}/flagd.json`, { headers });
    statuses.push(response.status);
    if (response.status === 200) core.setConfigurations(await response.text());
    etag = response.headers.get("etag") ?? "";
  }
  await poll();
  const timer = setInterval(() => void poll().catch(() => {}), intervalMs);
  onTestFinished(() => clearInterval(timer));
  return { core, statuses };
}

/** Leaves only this variant, which all users get. */
async function patch(url: string, name: string): Promise<void> {
  const response = await fetch(`${url}/api/admin/projects/default/features/checkout/variants?by=name`, {
    method: "PATCH",
    headers: { authorization: key, "content-type": "application/json" },
    body: JSON.stringify([{ op: "replace", path: "", value: { [name]: { weight: 1000 } } }]),
  });
  expect(response.status).toBe(200);
}

async function secondsUntil(isSeen: () => boolean): Promise<number> {
  const start = performance.now();
  while (!isSeen()) await setTimeout(10);
  return (performance.now() - start) / 1000;
}

describe.each([
  { cache: "5 seconds", settings: {}, most: intervalMs / 1000 + 5 + 1 },
  { cache: "0 seconds", settings: { DOCUMENT_CACHE_SECONDS: "0" }, most: intervalMs / 1000 + 1 },
])("where a document is kept for $cache", ({ settings, most }) => {
  it(`SDKs that poll each second evaluate a patch ${most} seconds after it at most`, async () => {
    const { url } = await open(settings);
    const [unleash, flagd] = await Promise.all([startUnleash(url), startFlagd(url)]);
    const byUnleash = () => unleash.getVariant("checkout", { userId: "u" }).name;
    const byFlagd = () => flagd.core.resolveStringEvaluation("checkout", "none", { targetingKey: "u" }).value;

    for (const name of ["amber", "violet"]) {
      await patch(url, name);
      const seconds = await Promise.all([
        secondsUntil(() => byUnleash() === name),
        secondsUntil(() => byFlagd() === name),
      ]);

      expect(Math.max(...seconds)).toBeLessThanOrEqual(most);
    }
    await setTimeout(1.5 * intervalMs);
    expect(flagd.statuses.at(-1)).toBe(304);
  }, 40_000);
});

it("1,000 users get their variants by the weights, and the same as from an export", async () => {
  const { url, engine } = await open({ DOCUMENT_CACHE_SECONDS: "0" });
  const weights = { blue: 500, green: 300, red: 200 };
  const value = Object.entries(weights).map(([name, weight]) => {
    return { name, weight, weightType: name === "blue" ? "variable" : "fix" };
  });
  await fetch(`${url}/api/admin/projects/default/features/checkout/environments/production/variants`, {
    method: "PATCH",
    headers: { authorization: key, "content-type": "application/json" },
    body: JSON.stringify([{ op: "replace", path: "", value }]),
  });
  const unleash = await startUnleash(url);
  const { core } = await startFlagd(url);
  const exported = async (as: string) => {
    const given = ["export", "--as", as, "--environment", "production", "--project", "default"];
    return (await runNode(["dist/tools/admin.mjs", "--endpoint", engine, ...given])).out;
  };
  const features = JSON.parse(await exported("unleash")).features;
  const ofExport = new Unleash({
    ...{ appName: "test", url: "http://127.0.0.1:9/api/", refreshInterval: 0, disableMetrics: true },
    ...{ skipInstanceCountWarning: true, storageProvider: new InMemStorageProvider() },
    bootstrap: { data: features },
  });
  onTestFinished(() => ofExport.destroy());
  ofExport.on("error", () => {});
  await once(ofExport, "ready");
  const coreOfExport = new FlagdCore(undefined, silent);
  coreOfExport.setConfigurations(await exported("flagd"));

  const users = times(1000, (index) => `user-${index}`);
  const of = (client: Unleash) => users.map((userId) => client.getVariant("checkout", { userId }).name);
  const by = (one: FlagdCore) =>
    users.map((targetingKey) => one.resolveStringEvaluation("checkout", "none", { targetingKey }).value);

  expect(of(ofExport)).toEqual(of(unleash));
  expect(by(coreOfExport)).toEqual(by(core));
  for (const chosen of [of(unleash), by(core)]) {
    for (const [name, weight] of Object.entries(weights)) {
      const share = weight / 1000;
      const deviation = chosen.filter((one) => one === name).length - users.length * share;
      expect(Math.abs(deviation), name).toBeLessThan(3 * Math.sqrt(users.length * share * (1 - share)));
    }
  }
}, 30_000);

it("the README's example prints the variant of a user, and the one of the patch below it", async () => {
  const server = await startServer();
  onTestFinished(() => void server.kill());
  const page = readFileSync("README.md", "utf8").replaceAll("http://127.0.0.1:3000", server.url);
  const [, example = "", patch = ""] = /```js\n(import [^`]+)```.+?```sh\n([^`]+)```/s.exec(page) ?? [];
  const child = spawn(process.execPath, ["--input-type=module", "-e", example]);
  onTestFinished(() => void child.kill());
  const printed: string[] = [];
  for await (const line of createInterface(child.stdout)) {
    printed.push(line);
    if (line === "blue" && printed.length < 3) spawn("bash", ["-c", patch]);
    if (line === "red") break;
  }

  expect(new Set(printed)).toEqual(new Set(["blue", "red"]));
}, 40_000);
