/** Kills the local server repeatedly at random while it is called: no acknowledged change is missing, and none is made twice. */
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout } from "node:timers/promises";
import { expect, it } from "vitest";
import type { Variant } from "../../lib/contract/variants.ts";
import { times } from "../support/patching.ts";
import { type LocalServer, startServer } from "../support/server.ts";

const kills = 20;
const requests = 1000;
const undos = 25;
const environments = ["development", "production"];
const project = "/api/admin/projects/default/features/checkout";

it(`loses none of ${requests} acknowledged requests when killed ${kills} times`, async () => {
  const data = path.join(mkdtempSync(path.join(tmpdir(), "burgee-soak-")), "data");
  const acknowledged: string[] = [];
  const patches: string[] = [];
  let killed = 0;
  let sent = 0;
  while (acknowledged.length < requests || killed < kills) {
    const server = await startServer("--data", data);
    const enough = acknowledged.length + 30 + Math.random() * 40;
    let isAlive = true;
    const worker = async (send: typeof tag) => {
      while (isAlive) {
        const name = `n-${sent++}`;
        if (send === patch) patches.push(name);
        const isDone = await send(server, name).catch(() => false);
        if (isDone) acknowledged.push(name);
      }
    };
    const workers = times(8, (index) => worker(index % 2 ? tag : patch));
    while (acknowledged.length < enough) await setTimeout(1);
    await server.kill("SIGKILL");
    isAlive = false;
    killed++;
    await Promise.all(workers);
  }

  const server = await startServer("--data", data);
  const { tags } = (await (await server.put("checkout", "the-last")).json()) as { tags: { value: string }[] };
  const stored = new Set([...tags.map(({ value }) => value), ...(await patchesIn(server, "production"))]);
  expect(acknowledged.filter((name) => !stored.has(name))).toEqual([]);
  // Every client retries, whether its patch was acknowledged or not.
  for (const name of patches) expect(await patch(server, name)).toBe(true);
  for (const environment of environments) {
    const made = await patchesIn(server, environment);
    expect(made.toSorted()).toEqual(patches.toSorted());
    for (const left of times(undos, (index) => made.slice(0, -1 - index))) {
      await undoNewest(server, environment);
      expect(await patchesIn(server, environment)).toEqual(left);
    }
  }
  await server.kill();
  const counts = `${acknowledged.length} of ${sent} requests acknowledged, ${patches.length} of them patches`;
  process.stderr.write(`\n${counts}, killed ${killed} times\n`);
});

async function tag(server: LocalServer, name: string): Promise<boolean> {
  return (await server.put("checkout", name)).status === 201;
}

/** Adds an override of this name in both environments. */
async function patch(server: LocalServer, name: string): Promise<boolean> {
  const override = { contextName: name, values: ["x"] };
  const body = [{ op: "add", path: "/blue/overrides/-", value: override }];
  return (await call(server, "PATCH", "/variants?by=name", { body, key: name })).status === 200;
}

async function patchesIn(server: LocalServer, environment: string): Promise<string[]> {
  const response = await call(server, "GET", `/environments/${environment}/variants`);
  const { variants } = (await response.json()) as { variants: Variant[] };
  return (variants.find(({ name }) => name === "blue")?.overrides ?? []).map(
    ({ contextName }) => contextName,
  );
}

async function undoNewest(server: LocalServer, environment: string): Promise<void> {
  const below = `/environments/${environment}/variants/changes`;
  const response = await call(server, "GET", below);
  const { changes } = (await response.json()) as {
    changes: { id: string; environments: { canUndo: boolean }[] }[];
  };
  const top = changes.find(({ environments: [one] }) => one?.canUndo);
  expect((await call(server, "POST", `${below}/${top?.id}/undo`)).status).toBe(200);
}

function call(
  { url }: LocalServer,
  method: string,
  below: string,
  { body, key }: { body?: unknown; key?: string } = {},
): Promise<Response> {
  const headers = {
    authorization: "burgee-demo-key-for-this-machine",
    ...(body !== undefined && { "content-type": "application/json" }),
    ...(key !== undefined && { "idempotency-key": key }),
  };
  return fetch(`${url}${project}${below}`, { method, headers, body: JSON.stringify(body) });
}
