/** What lambda-sdk.mjs leaves out of the AWS SDK changes nothing of what is sent, nor of what comes of an answer. */
import { execFile } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";
import { build } from "esbuild";
import { expect, it } from "vitest";
import { functionsBuild } from "../../esbuild.config.mjs";
import { calls } from "../support/sdk/calls.ts";
import { environments } from "../support/sdk/environments.ts";
import type { Report } from "../support/sdk/main.ts";
import { newFolder } from "./admin/command-line.ts";

const folder = newFolder().path;
const [whole, lean] = await Promise.all([run("whole", []), run("lean", functionsBuild.plugins)]);

async function run(name: string, plugins: typeof functionsBuild.plugins): Promise<Record<string, Report>> {
  const outfile = path.join(folder, `${name}.mjs`);
  const { outdir, outExtension, sourcemap, ...options } = functionsBuild;
  // The program waits at its top level, which CommonJS cannot.
  const js = 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);';
  const entryPoints = ["test/support/sdk/main.ts"];
  await build({ ...options, entryPoints, outfile, plugins, format: "esm", banner: { js } });
  // As in a Lambda, there is no home with settings of AWS.
  const { stdout } = await promisify(execFile)(process.execPath, [outfile], { env: { HOME: folder } });
  return JSON.parse(stdout);
}

it.each(Object.keys({ ...calls, ...environments }))("is the same to the byte: %s", (name) => {
  expect(whole[name]?.requests.length).toBeGreaterThan(name === "in a region that cannot be one" ? -1 : 0);
  expect(lean[name]).toEqual(whole[name]);
});

it.each([
  ["the session", "a key that is there", "x-amz-security-token: the token of the session"],
  ["the trace", "a key that is there", "X-Amzn-Trace-Id: Root=1-5759e988"],
  ["the scope", "a key that is there", "Credential=ASIAEXAMPLE/20260102/eu-central-1/dynamodb/aws4_request"],
  ["its own", "a trace in the runtime's store", "X-Amzn-Trace-Id: Root=1-5759e988-00000000000000000000000a"],
])("a request carries %s: %s", (_, name, text) => {
  expect(lean[name]?.requests[1]).toContain(text);
});

it.each([
  ["a key that is there", "https://dynamodb.eu-central-1.amazonaws.com:"],
  ["in China", "https://dynamodb.cn-north-1.amazonaws.com.cn:"],
  ["in GovCloud", "https://dynamodb.us-gov-west-1.amazonaws.com:"],
  ["in an isolated partition", "https://dynamodb.us-iso-east-1.c2s.ic.gov:"],
  ["in the European partition", "https://dynamodb.eusc-de-east-1.amazonaws.eu:"],
])("%s: the address is %s", (name, address) => {
  expect(lean[name]?.requests[0]).toBe(address);
});

it.each([
  ["a write whose answer was lost", { written: true, stored: { environment: "production", revision: 8 } }],
  ["a write that came second", { written: false, current: { environment: "production", revision: 8 } }],
])("a failed condition brings the old item, in which a retry finds its own id: %s", (name, value) => {
  expect(lean[name]?.result).toMatchObject({ value });
});
