/** `npm run invoke`: a process that calls one function with one event. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { text } from "node:stream/consumers";
import { pathToFileURL } from "node:url";
import { CreateTableCommand, DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { expect, it, onTestFinished } from "vitest";
import { startEngine } from "../../../infra/local/engine.ts";
import { sampleEvent, samples } from "../../../infra/local/samples.ts";
import { readTableDefinition } from "../../../infra/store/create-table.ts";
import { document } from "../../support/document.ts";
import { runNode } from "../../support/program.ts";
import { tag, unstorable } from "../../support/seed.ts";
import { newFolder } from "../admin/command-line.ts";

const folder = newFolder();

function invoke(given: readonly string[], input = "", settings: Record<string, string> = {}) {
  const env = { PATH: process.env.PATH, TMPDIR: process.env.TMPDIR, ...settings };
  return runNode(["dist/tools/invoke.mjs", ...given], { env, input });
}

const events = Object.entries(samples).map(([name, sample]) => [name, sampleEvent(sample)] as const);
const sample = (name: string) => JSON.stringify(events.find(([one]) => one === name)?.[1]);

it("a sample event is printed as JSON", async () => {
  const { out } = await invoke(["--sample", "get-tags"]);

  const { routeKey, rawPath } = JSON.parse(sample("get-tags"));
  expect(JSON.parse(out)).toMatchObject({ routeKey, rawPath });
});

it("a reader that closes the pipe early is not a failure", async () => {
  const child = spawn(process.execPath, ["dist/tools/invoke.mjs", "--sample", "get-tags"]);
  child.stdout.destroy();

  const [err] = await Promise.all([text(child.stderr), once(child, "close")]);

  expect([child.exitCode, err]).toEqual([0, ""]);
});

it("a sample event is there for each operation but those of changes, which the demo has none of", () => {
  const paths = Object.entries(document.paths).filter(([path]) => !path.includes("/changes"));
  const operations = paths.flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ANY ${path}`),
  );

  const sampled = events.map(([, event]) => `${event.requestContext.http.method} ${event.routeKey}`);
  expect(sampled.toSorted()).toEqual(operations.toSorted());
});

it.concurrent.each(events)("a sample event %s is responded to with success", async (name, event) => {
  const file = folder.file(`${name}.json`, event);

  const { code, out, err } = await invoke([name.endsWith("tags") ? "tags" : "variants", file]);

  const { statusCode, headers, body } = JSON.parse(out);
  expect([code, statusCode]).toEqual([0, name === "put-tags" ? 201 : 200]);
  expect(headers["content-type"]).toBe("application/json");
  expect(JSON.parse(body).version).toBe(1);
  expect(JSON.parse(err)).toMatchObject({ status: statusCode, key: "demo" });
});

it("a sample event whose rawQueryString is edited to dryRun=true is a dry run", async () => {
  const event = { ...JSON.parse(sample("patch-variants")), rawQueryString: "dryRun=true" };

  const { out, err } = await invoke(["variants", "-"], JSON.stringify(event));

  expect(JSON.parse(out)).toMatchObject({ statusCode: 200, body: expect.stringContaining('"changes"') });
  expect(JSON.parse(err)).toMatchObject({ dryRun: true });
});

it("the result has escapes in place of control and invisible characters, and the same value", async () => {
  const name = "\u009b31m\u202e\u200b";
  const event = { ...JSON.parse(sample("get-tags")), pathParameters: { featureName: name } };

  const { out, err } = await invoke(["tags", "-"], JSON.stringify(event));

  expect(out + err).not.toMatch(/[^\P{Control}\n]|\p{Format}/u);
  expect(JSON.parse(JSON.parse(out).body).message).toContain(name);
});

it.concurrent.each([
  { AWS_PROFILE: "nope", AWS_USE_FIPS_ENDPOINT: "true" },
  // With it the SDK would call AWS instead.
  { AWS_IGNORE_CONFIGURED_ENDPOINT_URLS: "true" },
  {
    AWS_CONFIG_FILE: folder.file(
      "config",
      Buffer.from("[default]\nignore_configured_endpoint_urls = true\n"),
    ),
  },
])("the embedded engine is used whatever the settings for AWS are: %j", async (settings) => {
  const { code, err } = await invoke(["tags", "-"], sample("get-tags"), settings as Record<string, string>);

  expect(code).toBe(0);
  expect(JSON.parse(err)).toMatchObject({ status: 200 });
});

it("the data stays in --data, which the next call reads", async () => {
  const data = path.join(folder.path, "data");

  await invoke(["tags", "-", "--data", data], sample("put-tags"));
  const { out } = await invoke(["tags", "-", "--data", data], sample("get-tags"));

  expect(JSON.parse(JSON.parse(out).body).tags).toEqual([tag("team-a"), tag("team-b")]);
});

it("the demo's state, whose API key is public, is not stored in an empty table on AWS", async () => {
  const host = "dynamodb.eu-central-1.amazonaws.com";
  const program = pathToFileURL("dist/tools/engine-process.mjs");
  const engine = await startEngine(undefined, { program, allowHost: [host] });
  onTestFinished(engine.stop);
  const resolve = `import dns from "node:dns"; dns.lookup = (_, { all }, done) =>
    all ? done(null, [{ address: "127.0.0.1", family: 4 }]) : done(null, "127.0.0.1", 4);`;
  const settings = {
    NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(resolve)}`,
    TABLE_NAME: "on-aws",
  };
  const given = ["tags", "-", "--endpoint", engine.endpoint.replace("127.0.0.1", host)];
  const state = ["--state", folder.file("empty.json", {})];

  const missing = await invoke(given, sample("get-tags"), settings);
  const local = { endpoint: engine.endpoint, region: "eu-central-1" };
  const client = new DynamoDBClient({
    ...local,
    credentials: { accessKeyId: "local", secretAccessKey: "local" },
  });
  await client.send(new CreateTableCommand({ ...readTableDefinition(), TableName: "on-aws" }));
  const demo = await invoke(given, sample("get-tags"), settings);
  const named = await invoke([...given, "--state", "infra/demo.json"], sample("get-tags"), settings);
  const other = await invoke([...given, ...state], sample("get-tags"), settings);

  const err = expect.stringMatching(/^burgee: the table "on-aws" on AWS is empty, and .*--state.*\n$/);
  const refused = { code: 1, out: "", err };
  expect(missing).toMatchObject({ code: 1, err: expect.stringContaining('no table "on-aws" on AWS') });
  expect([demo, named]).toEqual([refused, refused]);
  expect([other.code, JSON.parse(other.out).statusCode]).toEqual([0, 401]);
});

it.concurrent("settings that are empty count as not set", async () => {
  const empty = { AWS_REGION: "", AWS_ACCESS_KEY_ID: "", AWS_SECRET_ACCESS_KEY: "", TABLE_NAME: "" };

  const { code, out } = await invoke(["tags", "-"], sample("get-tags"), empty);

  expect([code, JSON.parse(out).statusCode]).toEqual([0, 200]);
});

it.concurrent("an invalid AWS_REGION is reported in one line", async () => {
  const { code, err } = await invoke(["tags", "-"], sample("get-tags"), { AWS_REGION: "us east" });

  expect([code, err]).toEqual([
    1,
    expect.stringMatching(/^burgee: the AWS region is invalid: .*us east.*\n$/),
  ]);
});

it.concurrent("the exit code is 1 for a 5xx, which is printed", async () => {
  // No invocation has time left, as an hour passes between two looks at the clock.
  const source = "let now = Date.now(); Date.now = () => (now += 3_600_000)";
  const hasty = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(source)}` };

  const { code, out, err } = await invoke(["tags", "-"], sample("get-tags"), hasty);

  expect([code, JSON.parse(out).statusCode, JSON.parse(err).level]).toEqual([1, 503, "error"]);
});

it.concurrent("what is not an event of API Gateway gets 400, and the exit code is 0", async () => {
  const withObject = { ...JSON.parse(sample("patch-variants")), body: [] };

  const { code, out } = await invoke(["variants", "-"], JSON.stringify(withObject));

  expect([code, JSON.parse(out).statusCode]).toEqual([0, 400]);
  expect(JSON.parse(JSON.parse(out).body).message).toContain("payload format 2.0: /body must be a string");
});

const large = folder.file("large.json", unstorable);

it.concurrent.each([
  [`tags ${large} --state ${large}`, 1, "Item size has exceeded the maximum allowed size"],
  ["tags - --endpoint http://127.0.0.1:1", 1, "no response from http://127.0.0.1:1 (ECONNREFUSED)"],
  ["flags -", 2, 'the function must be "tags" or "variants", not "flags"'],
  ["tags", 2, 'the event is missing: give a file, or "-" for standard input'],
  ["--sample flags", 2, "Allowed choices are get-tags, put-tags"],
])("the exit code of %j is %i, with one line that says why", async (command, code, reason) => {
  const given = command.split(" ").filter((word) => word !== "");
  const run = await invoke(given, given.includes("--endpoint") ? "{}" : "");

  expect(run).toEqual({ code, out: "", err: expect.stringMatching(/^burgee: .*\n$/) });
  expect(run.err).toContain(reason);
});
