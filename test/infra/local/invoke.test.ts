/** `npm run invoke`: a process that calls one function with one event. */
import path from "node:path";
import { ScanCommand } from "@aws-sdk/lib-dynamodb";
import { beforeAll, expect, it, onTestFinished } from "vitest";
import { startEngine } from "../../../infra/local/engine.ts";
import { createTable } from "../../../infra/store/create-table.ts";
import { document } from "../../support/document.ts";
import { runNode } from "../../support/program.ts";
import { tag, unstorable } from "../../support/seed.ts";
import { openTable, settingsOf } from "../../support/table.ts";
import { newFolder } from "../admin/command-line.ts";

const folder = newFolder();

function invoke(given: readonly string[], input = "", settings: Record<string, string> = {}) {
  const env = { PATH: process.env.PATH, TMPDIR: process.env.TMPDIR, ...settings };
  return runNode(["dist/tools/invoke.mjs", ...given], { env, input });
}

const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
const names = operations.map(({ operationId }) => operationId);
/** The sample events, as they are printed. */
let samples: Record<string, string>;

beforeAll(async () => {
  const printed = names.map(async (name) => [name, (await invoke(["--sample", name])).out]);
  samples = Object.fromEntries(await Promise.all(printed));
}, 60_000);

const sample = (name: string, changed: object = {}) =>
  JSON.stringify({ ...JSON.parse(samples[name] ?? ""), ...changed });

it.concurrent.each(names)(
  "the sample event of %s gets its response, and the log is on stderr",
  async (name) => {
    const file = folder.file(`${name}.json`, JSON.parse(samples[name] ?? ""));

    const { code, out, err } = await invoke([name.endsWith("Tags") ? "tags" : "variants", file]);

    const { statusCode, headers, body } = JSON.parse(out);
    // The demo has no changes.
    const status = name === "updateTags" ? 201 : name.startsWith("undo") ? 404 : 200;
    expect([code, statusCode]).toEqual([0, status]);
    expect(headers["content-type"]).toBe("application/json");
    expect(JSON.parse(body)).toMatchObject(status === 404 ? { name: "NotFoundError" } : { version: 1 });
    expect(JSON.parse(err)).toMatchObject({ status, key: "demo" });
  },
);

it("a sample event whose rawQueryString is edited to dryRun=true is a dry run", async () => {
  const event = sample("patchFeatureVariants", { rawQueryString: "dryRun=true" });

  const { out, err } = await invoke(["variants", "-"], event);

  expect(JSON.parse(out)).toMatchObject({ statusCode: 200, body: expect.stringContaining('"changes"') });
  expect(JSON.parse(err)).toMatchObject({ dryRun: true });
});

it("the data stays in --data, which the next call reads", async () => {
  const data = path.join(folder.path, "data");

  await invoke(["tags", "-", "--data", data], sample("updateTags"));
  const { out } = await invoke(["tags", "-", "--data", data], sample("listTags"));

  expect(JSON.parse(JSON.parse(out).body).tags).toEqual([tag("team-b")]);
});

it("the demo's state, whose API key is public, is not stored in a table on AWS", async () => {
  const host = "dynamodb.eu-central-1.amazonaws.com";
  const engine = await startEngine(undefined, [host]);
  onTestFinished(engine.stop);
  Object.assign(process.env, settingsOf(engine.endpoint));
  const resolve = `import dns from "node:dns"; dns.lookup = (_, { all }, done) =>
    all ? done(null, [{ address: "127.0.0.1", family: 4 }]) : done(null, "127.0.0.1", 4);`;
  const settings = {
    NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(resolve)}`,
    ...{ TABLE_NAME: "on-aws", AWS_REGION: "eu-central-1" },
    ...{ AWS_ACCESS_KEY_ID: "local", AWS_SECRET_ACCESS_KEY: "local" },
  };
  const given = ["tags", "-", "--endpoint", engine.endpoint.replace("127.0.0.1", host)];

  const missing = await invoke(given, sample("listTags"), settings);
  await createTable("on-aws");
  const { code, out } = await invoke(given, sample("listTags"), settings);

  expect(missing).toMatchObject({ code: 1, err: expect.stringContaining('there is no table "on-aws"') });
  expect([code, JSON.parse(out).statusCode]).toEqual([0, 401]);
  expect((await openTable("on-aws").send(new ScanCommand({ TableName: "on-aws" }))).Count).toBe(0);
});

it.concurrent("the exit code is 1 for a 5xx, which is printed", async () => {
  // No invocation has time left, as an hour passes between two looks at the clock.
  const source = "let now = Date.now(); Date.now = () => (now += 3_600_000)";
  const hasty = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(source)}` };

  const { code, out, err } = await invoke(["tags", "-"], sample("listTags"), hasty);

  expect([code, JSON.parse(out).statusCode, JSON.parse(err).level]).toEqual([1, 503, "error"]);
});

it.concurrent("what is not an event of API Gateway gets 400, and the exit code is 0", async () => {
  const { code, out } = await invoke(["variants", "-"], sample("patchFeatureVariants", { body: [] }));

  expect([code, JSON.parse(out).statusCode]).toEqual([0, 400]);
  expect(JSON.parse(JSON.parse(out).body).message).toContain("payload format 2.0: /body must be a string");
});

const large = folder.file("large.json", unstorable);

it.concurrent.each([
  [`tags ${large} --state ${large}`, 1, "Item size has exceeded the maximum allowed size", {}],
  ["tags - --endpoint http://127.0.0.1:1", 1, "no response from http://127.0.0.1:1 (ECONNREFUSED)", {}],
  ["tags -", 1, "the AWS region is invalid", { AWS_REGION: "us east" }],
  ["flags -", 2, 'the function must be "tags" or "variants", not "flags"', {}],
  ["tags", 2, 'the event is missing: give a file, or "-" for standard input', {}],
  ["--sample flags", 2, "Allowed choices are listTags, updateTags", {}],
])("the exit code of %j is %i, with one line that says why", async (command, code, reason, settings) => {
  const run = await invoke(command.split(" "), "{}", settings as Record<string, string>);

  expect(run).toEqual({ code, out: "", err: expect.stringMatching(/^burgee: .*\n$/) });
  expect(run.err).toContain(reason);
});
