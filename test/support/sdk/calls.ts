/** DynamoDB calls of the functions, with the possible responses, and the environments that they are made in. */
import type { ApiKey } from "../../../lib/access/authenticate.ts";
import { limits } from "../../../lib/contract/limits.ts";
import { nextState } from "../../../lib/features/changes.ts";
import type { TagStore, VariantStore } from "../../../lib/features/stores.ts";
import { times } from "../patching.ts";
import { environmentState, variant as seedVariant } from "../seed.ts";
import type { Answer } from "./scripted.ts";

export interface Stores {
  features: TagStore & VariantStore;
  readApiKey(hash: string): Promise<ApiKey | undefined>;
}

interface Scripted {
  call: (stores: Stores) => Promise<unknown>;
  answers: Answer[];
}

const stamp = { id: "AAAAAAAAAAA", by: "ci", at: "2026-01-02T03:04:05.000Z", request: "request-1" };
const variant = seedVariant("blau ünd grün");
const before = environmentState({ uid: "environment-1", revision: 7, variants: [variant] });
const tags = {
  added: [{ type: "simple", value: 'quote " and \u{1f6a9}' }],
  removed: [{ type: "old", value: "one" }],
};

const target = { project: "default", feature: "checkout" };

const string = (S: string) => ({ S });
const featureItem = {
  pk: string("FEATURE#checkout"),
  sk: string("FEATURE"),
  name: string("checkout"),
  project: string("default"),
  environments: { L: [string("production")] },
  tags: { M: { '["simple","team-a"]': { BOOL: true } } },
};
const stored = (list: object[]) => ({ L: list });
const changeItem = (id: string) => ({
  pk: string(`CHANGE#${id}`),
  sk: string("environment-1"),
  change: { M: { id: string(id), revision: { N: "6" }, before: stored([]), topBefore: { NULL: true } } },
});
const environmentItem = (lastWrite: string) => ({
  pk: string("FEATURE#checkout"),
  sk: string("ENVIRONMENT#production"),
  environment: string("production"),
  variants: { L: [{ M: { name: string("blue"), weight: { N: "1000" }, payload: { NULL: true } } }] },
  revision: { N: "8" },
  uid: string("environment-1"),
  project: string("default"),
  last: { M: { id: string(lastWrite), by: string("ci"), at: string("2026-01-02") } },
  earlier: stored([]),
  recent: stored([string(lastWrite)]),
  top: { M: { id: string(lastWrite), revision: { N: "8" } } },
});
const keyItem = { name: string("ci"), permissions: { L: [{ M: { permission: string("ADMIN") } }] } };

const refuse = (name: string, rest: object = {}, status = 400): Answer => ({
  status,
  body: { __type: `com.amazonaws.dynamodb.v20120810#${name}`, message: `${name} it is`, ...rest },
});
const conditionFailed = (Item?: object) => refuse("ConditionalCheckFailedException", { Item });

const readKey = ({ readApiKey }: Stores) => readApiKey("0a1b2c");
const readFeature = ({ features }: Stores) =>
  features.readEnvironments({ project: "default", feature: "checkout" });
const writeTags = ({ features }: Stores) =>
  features.writeTags({ feature: "checkout", ...tags, projects: ["default", "web"], stamp });
const write = ({ features }: Stores) =>
  features.writeVariants(target, before, nextState(before, { variants: [variant] }, stamp));
const keep = ({ features }: Stores) =>
  features.keepChanges(target, [
    times(limits.carriedChanges, () => stamp).reduce(
      (state, stamp) => nextState(state, { variants: [variant] }, stamp),
      before,
    ),
  ]);
const readChanges = ({ features }: Stores) =>
  features.readNewestChanges([{ ...before, recent: ["AAAAAAAAAAB", "AAAAAAAAAAA"] }]);
const found: Answer = { body: { Item: keyItem } };

export const plainCall: Scripted = { call: readKey, answers: [found] };

export const calls: Record<string, Scripted> = {
  "a key that is there": plainCall,
  "a feature of two pages": {
    call: readFeature,
    answers: [
      {
        body: { Items: [featureItem], LastEvaluatedKey: { pk: string("FEATURE#checkout"), sk: string("A") } },
      },
      { body: { Items: [environmentItem("write-0")], Count: 1, ScannedCount: 1 } },
    ],
  },
  "tags changed": { call: writeTags, answers: [{ body: { Attributes: featureItem } }] },
  "tags refused, with the old item": {
    call: writeTags,
    answers: [conditionFailed({ ...featureItem, project: string("secret") })],
  },
  "variants written": { call: write, answers: [{ body: {} }] },
  "changes kept": { call: keep, answers: [{ body: { UnprocessedItems: {} } }] },
  "the newest changes, in two batches": {
    call: readChanges,
    answers: [
      {
        body: {
          Responses: { burgee: [] },
          UnprocessedKeys: {
            burgee: { Keys: [{ pk: string("CHANGE#AAAAAAAAAAA"), sk: string("environment-1") }] },
          },
        },
      },
      { body: { Responses: { burgee: [changeItem("AAAAAAAAAAA")] } } },
    ],
  },
  "a write whose answer was lost": {
    call: write,
    answers: ["hang up", conditionFailed(environmentItem("AAAAAAAAAAA"))],
  },
  "an item too large": {
    call: write,
    answers: [refuse("ValidationException", { message: "Item size has exceeded the maximum allowed size" })],
  },
  "a clock that is wrong": {
    call: readKey,
    answers: [
      {
        ...(refuse("RequestTimeTooSkewed") as object),
        headers: { date: "Fri, 02 Jan 2026 04:04:05 GMT" },
      },
      found,
    ],
  },
  "an answer that is no JSON": {
    call: readKey,
    answers: [{ status: 503, headers: { "content-type": "text/html" }, body: "<h1>busy</h1>" }, found],
  },
  "a success that is no JSON": {
    call: write,
    answers: [{ headers: { "content-type": "text/html" }, body: "<h1>welcome</h1>" }, { body: {} }],
  },
  "an answer without a body": { call: readKey, answers: [{ status: 500, body: "" }, found] },
  "an answer that is cut off": {
    call: readKey,
    answers: [{ headers: { "content-length": "500" }, body: { Item: keyItem } }, found],
  },
  "an error that only a header names": {
    call: readKey,
    answers: [{ status: 400, headers: { "x-amzn-errortype": "ThrottlingException:" } }, found],
  },
  "a throttled call": {
    call: readKey,
    answers: [
      refuse("ProvisionedThroughputExceededException", { ThrottlingReasons: [{ reason: "slow" }] }),
      found,
    ],
  },
  ...Object.fromEntries(
    [
      "ThrottlingException",
      "ReplicatedWriteConflictException",
      "AccessDeniedException",
      "NobodyHeardOfIt",
    ].map((name) => [name, { call: write, answers: [refuse(name)] }]),
  ),
};

/** Environment variables of a function, as Lambda sets them. */
export const usual: Record<string, string> = {
  AWS_REGION: "eu-central-1",
  AWS_DEFAULT_REGION: "eu-central-1",
  AWS_ACCESS_KEY_ID: "ASIAEXAMPLE",
  AWS_SECRET_ACCESS_KEY: "secret",
  AWS_SESSION_TOKEN: "the token of the session",
  AWS_EXECUTION_ENV: "AWS_Lambda_nodejs24.x",
  AWS_LAMBDA_FUNCTION_NAME: "burgee-tags",
  _X_AMZN_TRACE_ID: "Root=1-5759e988-bd862e3fe1be46a994272793;Parent=53995c3f42cd8ad8;Sampled=1",
  AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: "true",
};

/** Those that change what the SDK sends. */
export const environments: Record<string, Record<string, string>> = {
  "in China": { AWS_REGION: "cn-north-1", AWS_DEFAULT_REGION: "cn-north-1" },
  "at an account's endpoint": { AWS_ACCOUNT_ID: "123456789012", AWS_ACCOUNT_ID_ENDPOINT_MODE: "required" },
  "at an endpoint of one's own": { AWS_ENDPOINT_URL_DYNAMODB: "http://engine.test:8000" },
  "at an endpoint for all services": { AWS_ENDPOINT_URL: "https://gateway.test/path" },
  "with endpoint discovery": { AWS_ENABLE_ENDPOINT_DISCOVERY: "true" },
  "without a session": { AWS_SESSION_TOKEN: "" },
  "with a scope of credentials": { AWS_CREDENTIAL_SCOPE: "us-east-1" },
  "with the SDK's own retries": { AWS_MAX_ATTEMPTS: "7", AWS_RETRY_MODE: "adaptive" },
  "outside of a trace": { _X_AMZN_TRACE_ID: "" },
};
