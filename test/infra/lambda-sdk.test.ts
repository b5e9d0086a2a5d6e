/** Neither our protocol nor what lambda-sdk.mjs leaves out changes what is sent, or what comes of an answer. */
import { execFile } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";
import { build, type Plugin } from "esbuild";
import { expect, it } from "vitest";
import { functionsBuild } from "../../esbuild.config.mjs";
import { changed } from "../explore/build.mjs";
import { calls, environments } from "../support/sdk/calls.ts";
import type { Report } from "../support/sdk/main.ts";
import { newFolder } from "./admin/command-line.ts";

const folder = newFolder().path;
/** The SDK's own protocol, in place of ours. */
const sdkProtocol = changed([{ file: "lib/store/client.ts", from: "protocol: itemProtocol, ", to: "" }]);
const [whole, lean] = await Promise.all([run("whole", [sdkProtocol]), run("lean", functionsBuild.plugins)]);

async function run(name: string, plugins: Plugin[]): Promise<Record<string, Report>> {
  const outfile = path.join(folder, `${name}.mjs`);
  const { outdir, outExtension, sourcemap, footer, ...options } = functionsBuild;
  // The program waits at its top level, which CommonJS cannot.
  const js = 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);';
  const entryPoints = ["test/support/sdk/main.ts"];
  await build({ ...options, entryPoints, outfile, plugins, format: "esm", banner: { js } });
  // As in a Lambda, there is no home with settings of AWS.
  const { stdout } = await promisify(execFile)(process.execPath, [outfile], { env: { HOME: folder } });
  return JSON.parse(stdout);
}

/** The body as a value, as its members may be in any order; the headers without what is computed from its bytes. */
function readable(report: Report | undefined) {
  const requests = report?.requests.map((text) => {
    const [head = "", body = ""] = text.split("\r\n\r\n");
    return [head.replaceAll(/(?<=x-amz-content-sha256: |Signature=)\w+/g, ""), body && JSON.parse(body)];
  });
  return { ...report, requests };
}

it.each(Object.keys({ ...calls, ...environments }))("is the same: %s", (name) => {
  expect(whole[name]?.requests.length).toBeGreaterThan(0);
  expect(readable(lean[name])).toEqual(readable(whole[name]));
});
