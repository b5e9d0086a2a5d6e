/** Kills the server at random while a guard is tripped: what is under the guard is undone, and nothing else, ever. */
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout } from "node:timers/promises";
import { expect, it, onTestFinished } from "vitest";
import { times } from "../support/patching.ts";
import { demoKey } from "../support/sdks.ts";
import { type LocalServer, startServer } from "../support/server.ts";

const kills = 20;
/** They are under the guard again before each kill. */
const guarded = times(6, (index) => `guarded-${index}`);
const errors = { "burgee-guard": "errors; for=24h" };
const longestTripMs = 300;

type Send = (
  path: string,
  options?: { method?: string; body?: object; headers?: object },
) => Promise<Response>;

const inProduction = (feature: string) => `features/${feature}/environments/production`;
const tripPath = "environments/production/guards/errors/trip";

/** What was done to each feature that the guard must leave alone. The first waits for its time to be over. */
const falseAlarms: Readonly<Record<string, (send: Send, feature: string) => Promise<unknown>>> = {
  over: (send, feature) => switchOn(send, feature, { "burgee-guard": "errors; for=1m" }),
  "without-a-guard": (send, feature) => switchOn(send, feature),
  "another-guard": (send, feature) => switchOn(send, feature, { "burgee-guard": "latency; for=24h" }),
  "another-environment": (send, feature) =>
    send(`features/${feature}/environments/development/on`, { headers: errors }),
  async undone(send, feature) {
    const { headers } = await switchOn(send, feature, errors);
    await send(`features/${feature}/variants/changes/${headers.get("burgee-change")}/undo`);
  },
  async "changed-since"(send, feature) {
    await switchOn(send, feature, errors);
    const body = [{ op: "add", path: "/red", value: { weight: 1000 } }];
    await send(`${inProduction(feature)}/variants?by=name`, { method: "PATCH", body });
  },
  async "kill-switch"(send, feature) {
    const body = [
      { op: "replace", path: "/enabled", value: true },
      { op: "add", path: "/variants/red", value: { weight: 1000 } },
    ];
    await send(inProduction(feature), { method: "PATCH", body, headers: errors });
    await send(`${inProduction(feature)}/off`);
  },
};

it(`undoes nothing that is not under the guard, when killed ${kills} times during a trip`, async () => {
  const data = path.join(mkdtempSync(path.join(tmpdir(), "burgee-false-alarms-")), "data");
  let server = await startServer("--data", data);
  onTestFinished(() => void server.kill());
  const send: Send = (below, options) => sendTo(server, below, options);
  for (const name of [...guarded, ...Object.keys(falseAlarms)]) await send("features", { body: { name } });
  const start = Date.now();
  for (const [feature, happens] of Object.entries(falseAlarms)) await happens(send, feature);
  await setTimeout(61_000 - (Date.now() - start));
  const alone = () => contents(send, Object.keys(falseAlarms));
  const before = await alone();

  let halfway = 0;
  for (let kill = 0; kill < kills; kill++) {
    const off = await contents(send, guarded);
    for (const feature of guarded) await switchOn(send, feature, errors);
    const trips = times(2, () => send(tripPath).catch(() => undefined));
    await setTimeout(Math.random() * longestTripMs);
    await server.kill("SIGKILL");
    await Promise.all(trips);
    server = await startServer("--data", data);
    const undone = (await contents(send, guarded)).filter(({ content }) => !content.enabled);
    if (undone.length > 0 && undone.length < guarded.length) halfway += 1;

    expect((await send(tripPath)).status).toBe(200);
    // The ETags are others: an undo is a change.
    expect((await contents(send, guarded)).map(({ etag: _, ...one }) => one)).toEqual(
      off.map(({ etag: _, ...one }) => one),
    );
    const again = (await (await send(tripPath)).json()) as { features: { outcome: string }[] };
    expect([...new Set(again.features.map(({ outcome }) => outcome))]).toEqual(["changed since"]);
    expect(await alone()).toEqual(before);
  }

  process.stderr.write(`\nkilled ${kills} times, ${halfway} of them between two features\n`);
  expect(halfway).toBeGreaterThan(0);
}, 300_000);

function switchOn(send: Send, feature: string, headers = {}): Promise<Response> {
  return send(`${inProduction(feature)}/on`, { headers });
}

async function contents(send: Send, features: readonly string[]) {
  const read = async (feature: string) => {
    const response = await send(inProduction(feature), { method: "GET" });
    return {
      feature,
      etag: response.headers.get("etag"),
      content: (await response.json()) as { enabled: boolean },
    };
  };
  return Promise.all(features.map(read));
}

function sendTo(
  { url }: LocalServer,
  below: string,
  { method = "POST", body, headers = {} }: Parameters<Send>[1] = {},
): Promise<Response> {
  const json = body !== undefined && { "content-type": "application/json" };
  return fetch(`${url}/api/admin/projects/default/${below}`, {
    method,
    headers: { authorization: demoKey, ...json, ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
}
