/** Real SDKs that poll the documents of the demo's production each second: Unleash's, and flagd's in-process evaluation. */
import { once } from "node:events";
import { setTimeout } from "node:timers/promises";
import { FlagdCore } from "@openfeature/flagd-core";
import { InMemStorageProvider, Unleash } from "unleash-client";
import { onTestFinished } from "vitest";

export const demoKey = "burgee-demo-key-for-this-machine";
export const silent = { error() {}, warn() {}, info() {}, debug() {} };
const documents = "/api/projects/default/environments/production";
const intervalMs = 1000;

export interface Sdks {
  url: string;
  unleash: Unleash;
  core: FlagdCore;
  /** The status of each poll of flagd's document. */
  statuses: number[];
}

/** Opens SDKs that stop with the test. A concurrent test has an `atEnd` of its own. */
export async function startSdks(url: string, atEnd = onTestFinished): Promise<Sdks> {
  const [unleash, flagd] = await Promise.all([startUnleash(url, demoKey, atEnd), startFlagd(url, atEnd)]);
  return { url, unleash, ...flagd };
}

export async function startUnleash(url: string, key = demoKey, atEnd = onTestFinished): Promise<Unleash> {
  const client = new Unleash({
    appName: "test",
    url: url + documents,
    customHeaders: { Authorization: key },
    refreshInterval: intervalMs,
    skipInstanceCountWarning: true,
    storageProvider: new InMemStorageProvider(),
  });
  atEnd(async () => {
    client.destroy();
    // The error of a poll that is under way has no listener any more: the server must answer it.
    await setTimeout(500);
  });
  client.on("error", () => {});
  await once(client, "synchronized");
  return client;
}

/** Polls as flagd's HTTP sync does. */
async function startFlagd(url: string, atEnd = onTestFinished) {
  const core = new FlagdCore(undefined, silent);
  const statuses: number[] = [];
  let etag = "";
  async function poll() {
    const headers = { authorization: `Bearer ${demoKey}`, "if-none-match": etag };
    const response = await fetch(`${url}${documents}/flagd.json`, { headers });
    statuses.push(response.status);
    if (response.status === 200) core.setConfigurations(await response.text());
    etag = response.headers.get("etag") ?? "";
  }
  await poll();
  const timer = setInterval(() => void poll().catch(() => {}), intervalMs);
  atEnd(() => clearInterval(timer));
  return { core, statuses };
}

/** Gives all users this variant alone, and measures how long each SDK takes to evaluate it. */
export async function secondsUntilSeen({ url, unleash, core }: Sdks, variant: string): Promise<number[]> {
  const response = await fetch(`${url}/api/admin/projects/default/features/checkout/variants?by=name`, {
    method: "PATCH",
    headers: { authorization: demoKey, "content-type": "application/json" },
    body: JSON.stringify([{ op: "replace", path: "", value: { [variant]: { weight: 1000 } } }]),
  });
  if (response.status !== 200) throw new Error(`the patch returned ${response.status}`);
  const start = performance.now();
  const until = async (evaluated: () => unknown) => {
    while (evaluated() !== variant) await setTimeout(10);
    return (performance.now() - start) / 1000;
  };
  return Promise.all([
    until(() => unleash.getVariant("checkout", { userId: "u" }).name),
    until(() => core.resolveStringEvaluation("checkout", "none", { targetingKey: "u" }).value),
  ]);
}
