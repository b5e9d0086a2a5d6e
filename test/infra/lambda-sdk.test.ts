/** What is sent and returned with our configuration of the SDK is the same as with the SDK's own. */
import { createRequire } from "node:module";
import path from "node:path";
import { Readable } from "node:stream";
import type { HttpRequest } from "@smithy/types";
import { build, type Plugin } from "esbuild";
import { expect, inject, it, vi } from "vitest";
import { functionsBuild } from "../../esbuild.config.mjs";
import { recordAll } from "../../infra/reference/record.ts";
import { createWire } from "../support/wire.ts";
import { newFolder } from "./clients/admin/command-line.ts";

const folder = newFolder().path;
const sdks = { whole: await bundle("whole", []), ours: await bundle("ours", functionsBuild.plugins) };
const calls = await recordCalls();
vi.useFakeTimers({ now: Date.parse("2026-01-02T03:04:05Z"), toFake: ["Date"] });

async function bundle(name: string, plugins: Plugin[]) {
  const contents =
    'export * from "./lib/store/dynamodb/client.ts"; export * from "@aws-sdk/client-dynamodb";';
  const { entryPoints, outdir, outExtension, footer, minify, sourcemap, ...options } = functionsBuild;
  const outfile = path.join(folder, `${name}.cjs`);
  await build({ ...options, stdin: { contents, resolveDir: "." }, outfile, plugins });
  return createRequire(import.meta.url)(outfile);
}

/** What the requests of the OpenAPI document read and write; of calls with the same members, the last. */
async function recordCalls() {
  const wire = await createWire(inject("engine"));
  await recordAll(wire.client);
  wire.close();
  const ofItems = wire.calls.filter(({ operation }) => !operation.endsWith("Table"));
  const rows = ofItems.map(({ operation, input, response }) => {
    const members = [operation, ...Object.keys({ ...input, ...response?.body })].join(", ");
    const body = JSON.stringify(response?.body);
    return [members, [members, { operation, input }, { status: response?.status, body }]] as const;
  });
  return [...new Map(rows).values()];
}

interface Answer {
  status?: number | undefined;
  headers?: object;
  body?: string | AsyncIterable<Buffer>;
}

/** The region and the credentials, as Lambda sets them. */
const lambda = {
  REGION: "eu-central-1",
  ACCESS_KEY_ID: "ASIAEXAMPLE",
  SECRET_ACCESS_KEY: "secret",
  SESSION_TOKEN: "the session's token",
  EXECUTION_ENV: "AWS_Lambda_nodejs24.x",
  LAMBDA_FUNCTION_NAME: "burgee-tags",
  SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: "true",
};
const item = { pk: { S: "ü" }, sk: { S: "\u{1f6a9}" } };
const read = { operation: "GetItem", input: { TableName: "burgee", Key: item } as object };

/** Makes the call with both, once for each answer, and expects the same of both. */
async function exchange(answers: Answer[], call = read, settings: object = {}) {
  const variables = Object.entries({ ...lambda, ...settings }).map(([name, value]) => [`AWS_${name}`, value]);
  const { env } = process;
  process.env = { HOME: folder, ...Object.fromEntries(variables) };
  const [ours, whole] = await Promise.all([send(sdks.ours), send(sdks.whole)]);
  process.env = env;
  expect(ours).toEqual(whole);
  return ours;

  async function send(sdk: typeof sdks.ours) {
    const sent: object[] = [];
    const results: object[] = [];
    const client = sdk.createClient();
    client.config.requestHandler.handle = async (request: HttpRequest) => {
      const { status: statusCode = 200, headers, body = "{}" } = answers[sent.length] ?? {};
      sent.push(readable(request));
      const bytes = Readable.from(typeof body === "string" ? Buffer.from(body) : body);
      return { response: { statusCode, headers: { "x-amzn-requestid": "1", ...headers }, body: bytes } };
    };
    for (const _ of answers) {
      const result = client.send(new sdk[`${call.operation}Command`](call.input));
      results.push(await result.catch(membersOf));
    }
    return { sent, results };
  }
}

/** The body as a value, as its members may be in any order, without what is computed from its bytes. */
function readable({ headers, body, ...request }: HttpRequest): object {
  const text = JSON.stringify(headers)
    .replaceAll(/(Signature=|(?:sha256|invocation-id)":")[\w-]+/g, "$1")
    // The SDK counts an endpoint of one's own ("N") if the configuration has it, not if the environment has.
    .replace(" m/N,", " m/");
  return { ...request, headers: JSON.parse(text), body: JSON.parse(`${Buffer.from(body)}`) };
}

function membersOf(error: Error): object {
  return { ...error, name: error.name, message: error.message, $response: undefined };
}

// No request of the document needs a batch of reads.
const RequestItems = { burgee: { Keys: [item] } };
const half = JSON.stringify({ Responses: { burgee: [item] }, UnprocessedKeys: RequestItems });
const batch = [
  "BatchGetItem",
  { operation: "BatchGetItem", input: { RequestItems } },
  { body: half },
] as const;

it.each([...calls, batch])("sends and returns the same: %s", async (_, call, answer) => {
  expect(await exchange([answer], call)).toMatchObject({ sent: [{ body: call.input }] });
});

const refused = (name: string, members?: object): Answer => {
  const __type = `com.amazonaws.dynamodb.v20120810#${name}`;
  return { status: 400, body: JSON.stringify({ __type, message: "refused", ...members }) };
};
const reasons = [{ reason: "slow", resource: "the table" }];
const page = { headers: { "content-type": "text/html" }, body: "<h1>welcome</h1>" };
const anHourLater = { date: "Fri, 02 Jan 2026 04:04:05 GMT" };
async function* cutOff() {
  yield Buffer.from("{");
  throw new Error("aborted");
}

it.each<[string, ...Answer[]]>([
  ["a failed condition", refused("ConditionalCheckFailedException", { Item: item })],
  ["throttling", refused("ThrottlingException", { throttlingReasons: reasons })],
  ["a table's throttling", refused("ProvisionedThroughputExceededException", { ThrottlingReasons: reasons })],
  ["a conflict of regions", refused("ReplicatedWriteConflictException")],
  ["a denied call", refused("AccessDeniedException", { message: undefined, Message: "not authorised" })],
  ["an unknown error", { ...refused("UnknownException", { message: "" }), status: 500 }],
  ["an error that a header names", { status: 400, headers: { "x-amzn-errortype": "ThrottlingException:" } }],
  ["an error without a body", { status: 503, body: "" }],
  ["an error that is not JSON", { status: 503, ...page }],
  ["a success that is not JSON", page],
  ["a body that is cut off", { body: { [Symbol.asyncIterator]: cutOff } }],
  ["a clock, which the next call follows", { status: 400, headers: anHourLater }, {}],
])("returns the same, after one attempt: %s", async (_, ...answers) => {
  const { sent } = await exchange(answers, read, { MAX_ATTEMPTS: "7", RETRY_MODE: "adaptive" });

  expect(sent).toHaveLength(answers.length);
});

const us = { REGION: "us-east-1" };
const fips = { USE_FIPS_ENDPOINT: "true" };
const dualStack = { USE_DUALSTACK_ENDPOINT: "true" };
const account = { ACCOUNT_ID: "123456789012" };
const required = { ACCOUNT_ID_ENDPOINT_MODE: "required" };
const own = { ENDPOINT_URL: "https://gateway.test/path" };

it.each<[expected: string, settings: object]>([
  ["dynamodb.cn-north-1.amazonaws.com.cn", { REGION: "cn-north-1" }],
  ["dynamodb.us-gov-west-1.amazonaws.com", { REGION: "us-gov-west-1", ...fips }],
  ["dynamodb-fips.us-east-1.amazonaws.com", { ...us, ...fips }],
  ["dynamodb-fips.us-east-1.api.aws", { ...us, ...fips, ...dualStack }],
  ["dynamodb.eu-central-1.api.aws", dualStack],
  ["123456789012.ddb.eu-central-1.amazonaws.com", account],
  ["AccountIdEndpointMode is required but no AccountID", required],
  ["FIPS account endpoints are not supported", { ...fips, ...account, ...required }],
  ["dynamodb.eu-central-1.amazonaws.com", { ...account, ACCOUNT_ID_ENDPOINT_MODE: "disabled" }],
  ["gateway.test", own],
  ["engine.test", { ...own, ENDPOINT_URL_DYNAMODB: "http://engine.test:8000" }],
  ["FIPS and custom endpoint are not supported", { ...own, ...fips }],
  ["dynamodb.eu-central-1.amazonaws.com", { SESSION_TOKEN: "" }],
])("meets the same: %s, with %j", async (expected, settings) => {
  const { sent, results } = await exchange([{}], read, settings);

  // Without an endpoint nothing is sent.
  expect(JSON.stringify(sent.length > 0 ? sent : results)).toContain(expected);
});
