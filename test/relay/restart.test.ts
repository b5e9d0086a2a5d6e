/**
 * How long SDKs wait for their first document when all pods start at once: real SDKs and a gateway with the limits of
 * prod, all a fifth of 1,500 pods. docs/COSTS.md has the figures.
 */
import { once } from "node:events";
import { createServer, request } from "node:http";
import { setTimeout } from "node:timers/promises";
import { InMemStorageProvider, Unleash } from "unleash-client";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { times } from "../support/patching.ts";
import { demoKey } from "../support/sdks.ts";
import { type LocalServer, startServerWith } from "../support/server.ts";
import { listen, startRelay } from "./nginx.ts";

const scale = 5;
const pods = 1500 / scale;
const documents = "/api/projects/default/environments/production";

/** Refuses with 429 what is over a rate and its burst: a bucket of tokens, as API Gateway has it. */
async function startGateway(burgee: string, rate: number, burst: number): Promise<string> {
  let tokens = burst;
  let last = performance.now();
  function isAdmitted(): boolean {
    const now = performance.now();
    tokens = Math.min(burst, tokens + ((now - last) / 1000) * rate);
    last = now;
    if (tokens < 1) return false;
    tokens -= 1;
    return true;
  }
  const server = createServer((incoming, outgoing) => {
    incoming.resume();
    if (!isAdmitted()) return void outgoing.writeHead(429).end();
    // What SDKs send is dropped.
    if (incoming.method === "POST") return void outgoing.writeHead(202).end();
    const { method, headers, url } = incoming;
    request(`${burgee}${url}`, { method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(outgoing);
    }).end();
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return listen(server);
}

/** Returns the seconds until half of the pods, and all, have their first document. */
async function restart(url: string, disableMetrics: boolean): Promise<{ half: number; all: number }> {
  const start = performance.now();
  const clients = times(pods, () => {
    const client = new Unleash({
      ...{ appName: "test", url: url + documents, customHeaders: { Authorization: demoKey }, disableMetrics },
      ...{ skipInstanceCountWarning: true, storageProvider: new InMemStorageProvider() },
    });
    client.on("error", () => {});
    return client;
  });
  const waits = clients.map(async (client) => {
    await once(client, "synchronized");
    return Math.round((performance.now() - start) / 100) / 10;
  });
  const seconds = (await Promise.all(waits)).toSorted((a, b) => a - b);
  for (const client of clients) client.destroy();
  await setTimeout(500);
  return { half: seconds[pods / 2] ?? 0, all: seconds.at(-1) ?? 0 };
}

let burgee: LocalServer;
beforeAll(async () => {
  burgee = await startServerWith({});
});
afterAll(() => burgee.kill());

const behind = (limit: number) => startGateway(burgee.url, limit / scale, (2 * limit) / scale);

it("1,500 pods that start at once have their first document within 10 seconds, by a relay", async () => {
  const waited = await restart(await startRelay(await behind(100)), false);

  console.log("a relay:", waited);
  expect(waited.all).toBeLessThan(10);
});

// Takes minutes: npm run test:relay -- --mode restart restart
describe.runIf(process.env.MODE === "restart")("without a relay", () => {
  it.each([
    [100, "and send metrics", false],
    [100, "only", true],
    [200, "and send metrics", false],
    [200, "only", true],
  ])(
    "they have it later, with PollRateLimit %d, if they load documents %s",
    async (limit, sends, disableMetrics) => {
      const waited = await restart(await behind(limit), disableMetrics);

      console.log(`PollRateLimit ${limit}, documents ${sends}:`, waited);
      expect(waited.half).toBeLessThan(limit === 100 ? 60 : 30);
    },
    600_000,
  );
});
