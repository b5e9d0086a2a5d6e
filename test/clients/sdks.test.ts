/** Real SDKs that poll the local server: how soon they evaluate a patch, and how they spread users. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { setTimeout } from "node:timers/promises";
import { FlagdCore } from "@openfeature/flagd-core";
import { InMemStorageProvider, Unleash } from "unleash-client";
import { expect, it, onTestFinished } from "vitest";
import { times } from "../support/patching.ts";
import { runNode } from "../support/program.ts";
import { demoKey as key, secondsUntilSeen, silent, startSdks } from "../support/sdks.ts";
import { type LocalServer, startServerWith } from "../support/server.ts";

async function open(settings: NodeJS.ProcessEnv = {}, atEnd = onTestFinished): Promise<LocalServer> {
  const server = await startServerWith(settings);
  atEnd(() => void server.kill());
  return server;
}

// Both wait for seconds, with servers of their own.
it.concurrent("SDKs that poll each second evaluate a patch 2 seconds after it at most, or 7 where documents are kept for 5", async ({
  expect,
  onTestFinished,
}) => {
  const secondsWith = async (settings?: NodeJS.ProcessEnv) => {
    const { url } = await open(settings, onTestFinished);
    const sdks = await startSdks(url, onTestFinished);
    const seconds = await secondsUntilSeen(sdks, "amber");
    await expect.poll(() => sdks.statuses.at(-1), { timeout: 5000 }).toBe(304);
    return Math.max(...seconds);
  };

  const [kept, made] = await Promise.all([secondsWith(), secondsWith({ DOCUMENT_CACHE_SECONDS: "0" })]);

  expect(kept).toBeLessThanOrEqual(1 + 5 + 1);
  expect(made).toBeLessThanOrEqual(1 + 1);
}, 40_000);

it.concurrent("a switch is seen by SDKs that poll each second after their poll and the 5 seconds of documents at most", async ({
  expect,
  onTestFinished,
}) => {
  const { url } = await open({}, onTestFinished);
  const sdks = await startSdks(url, onTestFinished);
  const { unleash, core } = sdks;
  const isOn = (feature: string) => [
    unleash.isEnabled(feature, { userId: "u" }),
    core.resolveStringEvaluation(feature, "none", { targetingKey: "u" }).value !== "none",
  ];
  const secondsUntil = async (feature: string, to: "on" | "off") => {
    const path = `/api/admin/projects/default/features/${feature}/environments/production`;
    const { status } = await fetch(`${url}${path}/${to}`, {
      method: "POST",
      headers: { authorization: key },
    });
    expect(status).toBe(200);
    const start = performance.now();
    while (isOn(feature).includes(to === "off")) await setTimeout(10);
    return (performance.now() - start) / 1000;
  };
  expect([isOn("checkout"), isOn("cart-reminder")]).toEqual([
    [true, true],
    [false, false],
  ]);

  const [off, on] = await Promise.all([secondsUntil("checkout", "off"), secondsUntil("cart-reminder", "on")]);

  console.log(`seconds until both SDKs have seen it: off ${off.toFixed(1)}, on ${on.toFixed(1)}`);
  expect(Math.max(off, on)).toBeLessThanOrEqual(1 + 5 + 1);
}, 40_000);

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
  const { unleash, core } = await startSdks(url);
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

it("the source in the page's line for flagd is the document, with a header that it accepts", async () => {
  const server = await open();
  const page = readFileSync("docs/SDKS.md", "utf8").replaceAll("http://127.0.0.1:3000", server.url);
  const [, sources = "[]"] = /^flagd start --sources '(.+)'$/m.exec(page) ?? [];
  const [{ uri, provider, authHeader }] = JSON.parse(sources);
  const core = new FlagdCore(undefined, silent);
  core.setConfigurations(await (await fetch(uri, { headers: { authorization: authHeader } })).text());

  expect(provider).toBe("http");
  expect(core.resolveStringEvaluation("checkout", "none", { targetingKey: "ada" }).value).toBe("blue");
});

it("the README's example prints the variant of a user, and the one of the patch above it", async () => {
  const server = await open({ DOCUMENT_CACHE_SECONDS: "0" });
  const page = readFileSync("README.md", "utf8").replaceAll("http://127.0.0.1:3000", server.url);
  const [above = "", example = ""] = page.split(/```js\n(import [^`]+)```/);
  const patch = [...above.matchAll(/```sh\n([^`]+ -X PATCH [^`]+)```/g)].map(([, block]) => block).join("");
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
