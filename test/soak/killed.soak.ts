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

const tag = (server: LocalServer, name: string) => server.put("checkout", name);

it(`loses none of ${requests} acknowledged requests when killed ${kills} times`, async () => {
  const data = path.join(mkdtempSync(path.join(tmpdir(), "burgee-soak-")), "data");
  const acknowledged: string[] = [];
  const patches: string[] = [];
  let killed = 0;
  let sent = 0;
  while (acknowledged.length < requests || killed < kills) {
    const server = await startServer("--data", data);
    if (killed === 0) await patchWith(server, [{ op: "add", path: "/blue/overrides", value: [] }], "begin");
    const enough = acknowledged.length + 30 + Math.random() * 40;
    let isAlive = true;
    const worker = async (send: typeof patch) => {
      while (isAlive) {
        const name = `n-${sent++}`;
        if (send === patch) patches.push(name);
        const response = await send(server, name).catch(() => undefined);
        if (response?.ok) acknowledged.push(name);
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
  const changes = new Map<string, string>();
  for (const name of patches) {
    const { status, headers } = await patch(server, name);
    expect(status).toBe(200);
    changes.set(name, headers.get("burgee-change") ?? "");
  }
  for (const environment of environments) {
    const made = await patchesIn(server, environment);
    expect(made.toSorted()).toEqual(patches.toSorted());
    for (const name of made.slice(-undos).reverse()) {
      const below = `/environments/${environment}/variants/changes/${changes.get(name)}/undo`;
      expect((await call(server, "POST", below)).status).toBe(200);
    }
    expect(await patchesIn(server, environment)).toEqual(made.slice(0, -undos));
  }
  await server.kill();
  const counts = `${acknowledged.length} of ${sent} requests acknowledged, ${patches.length} patches sent`;
  process.stderr.write(`\n${counts}, killed ${killed} times\n`);
});

/** Adds an override of this name in both environments. */
function patch(server: LocalServer, name: string): Promise<Response> {
  const override = { contextName: name, values: ["x"] };
  return patchWith(server, [{ op: "add", path: "/blue/overrides/-", value: override }], name);
}

function patchWith(server: LocalServer, body: object[], key: string): Promise<Response> {
  return call(server, "PATCH", "/variants?by=name", { body, key });
}

async function patchesIn(server: LocalServer, environment: string): Promise<string[]> {
  const response = await call(server, "GET", `/environments/${environment}/variants`);
  const { variants } = (await response.json()) as { variants: Variant[] };
  return (variants.find(({ name }) => name === "blue")?.overrides ?? []).map(
    ({ contextName }) => contextName,
  );
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
