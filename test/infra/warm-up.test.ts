/** The call that a function makes while its sandbox starts neither fails nor holds up the first request. */
import { createRequire } from "node:module";
import { createServer } from "node:net";
import path from "node:path";
import { build } from "esbuild";
import { afterAll, expect, it } from "vitest";
import { functionsBuild } from "../../esbuild.config.mjs";
import { toEvent } from "../support/event.ts";
import { listen } from "../support/listening.ts";
import { runNode } from "../support/program.ts";
import { settingsOf } from "../support/table.ts";
import { newFolder } from "./clients/admin/command-line.ts";

/** Accepts connections, and says nothing. */
const silentServer = createServer(() => {});
const silent = at(`localhost:${await listen(silentServer)}`);

afterAll(() => void silentServer.close());

/** The environment of a function whose engine is there. */
function at(host: string) {
  return settingsOf(`https://${host}`);
}

const request = (path: string) => `
  const event = ${JSON.stringify(toEvent({ method: "GET", path, headers: { authorization: "a key" } }))};
  const endsAt = Date.now() + 1000;
  const context = { getRemainingTimeInMillis: () => endsAt - Date.now() };
  const startedAt = performance.now();
  handler(event, context).then(({ statusCode }) =>
    console.log(JSON.stringify({ status: statusCode, ms: performance.now() - startedAt })));`;
const tagsPath = "/api/admin/features/checkout/tags";

/** Loads a function as Lambda does, and runs the script in the same process. It ends when nothing is left to do. */
async function run(name: string, env: Record<string, string>, script = "") {
  const program = `const { handler } = require(${JSON.stringify(path.resolve(`dist/${name}.cjs`))}); ${script}`;
  const options = { env: { TABLE_NAME: "burgee", ...env }, timeout: 10_000 };
  const { code, out, err } = await runNode(["--eval", program], options);
  expect({ code, err }).toEqual({ code: 0, err: "" });
  const last = out.trim().split("\n").at(-1);
  return last ? JSON.parse(last) : undefined;
}

it.each([
  ["nothing listens", at("localhost:1")],
  ["the server is silent", silent],
  ["there are no credentials", { AWS_REGION: "eu-central-1" }],
  ["there is no region", {}],
])("loading does not fail where %s", async (_, environment) => {
  await run("tags", environment);
});

it.each([
  ["needs no database does not wait for the call", "/nowhere", 404, 400],
  ["finds the connection stuck ends in time", tagsPath, 503, 1000],
])("a first request that %s", async (_, path, status, mostMs) => {
  const answer = await run("tags", silent, request(path));

  expect(answer.status).toBe(status);
  expect(answer.ms).toBeLessThan(mostMs);
});

it("importing the modules of the functions reads no setting: only the entry of a bundle does", async () => {
  const { footer: _, ...options } = functionsBuild;
  const outdir = newFolder().path;
  await build({ ...options, outdir });
  const { env } = process;
  const read: string[] = [];
  const watched = { get: (_: object, name: string) => void read.push(name), has: () => false };
  process.env = new Proxy({}, watched);
  for (const name of ["tags", "variants", "read"]) createRequire(import.meta.url)(`${outdir}/${name}.cjs`);
  process.env = env;

  const ofRuntime = /^(?:AWS_LAMBDA_|FORCE_COLOR$)/;
  expect(read.filter((name) => !ofRuntime.test(name))).toEqual([]);
});
