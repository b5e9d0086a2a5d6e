/** `osls invoke local`, on the engine of a local server. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { type Burgee, startBurgee } from "burgee/local";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { frameworkProgram } from "../../infra/deploy/framework.ts";
import { sampleEvent, samples } from "../../infra/local/samples.ts";

const folder = mkdtempSync(path.join(tmpdir(), "burgee-test-"));

let burgee: Burgee;

beforeAll(async () => {
  burgee = await startBurgee();
});
beforeEach(() => burgee.reset());
afterAll(() => burgee?.stop());

it.each(Object.entries(samples))("calls the function of the sample %s", async (name, sample) => {
  const file = path.join(folder, `${name}.json`);
  writeFileSync(file, JSON.stringify(sampleEvent(sample)));
  const given = ["--stage", "local", "-f", name.endsWith("tags") ? "tags" : "variants", "-p", file];

  const { code, out, err } = await osls("invoke", "local", ...given);

  expect({ code, err }).toEqual({ code: 0, err: "" });
  expect(out).toMatch(/"statusCode": 20[01]/);
});

async function osls(...given: string[]) {
  const child = spawn(process.execPath, [frameworkProgram, ...given], {
    env: {
      PATH: process.env.PATH,
      HOME: folder,
      AWS_ENDPOINT_URL_DYNAMODB: burgee.engine,
      AWS_ACCESS_KEY_ID: "local",
      AWS_SECRET_ACCESS_KEY: "local",
      SLS_DEPRECATION_NOTIFICATION_MODE: "error",
      AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: "true",
    },
  });
  child.stdin.end();
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  return { code: child.exitCode, out, err };
}
