/**
 * Is required before a deployment command: its clients are of an account that is a file. Each call is a line of
 * calls.jsonl.
 */
const { appendFileSync, readFileSync, writeFileSync } = require("node:fs");
const Module = require("node:module");
const timers = require("node:timers/promises");

const read = () => JSON.parse(readFileSync("account.json", "utf8"));

/**
 * Changes the account, as AWS does in the course of a call.
 * @param {object} changed
 */
const write = (changed) => writeFileSync("account.json", JSON.stringify({ ...read(), ...changed }));

/**
 * @param {string} kind
 * @param {Record<string, string>} values
 */
const toList = (kind, values) =>
  Object.entries(values).map(([name, value]) => ({ [`${kind}Key`]: name, [`${kind}Value`]: value }));

/** @param {{ status: string, outputs?: Record<string, string>, parameters?: Record<string, string> }} stack */
function describe({ status, outputs = {}, parameters = {} }) {
  const lists = { Outputs: toList("Output", outputs), Parameters: toList("Parameter", parameters) };
  return { Stacks: [{ StackStatus: status, ...lists }] };
}

/**
 * The calls that have an answer; the others succeed.
 * @type {Record<string, (input: { StackName: string, ClientRequestToken?: string }) => unknown>}
 */
const answers = {
  getCallerIdentity: () => ({ Arn: "arn:aws:iam::1:user/ops" }),
  getAccountSettings: () => ({ AccountLimit: { ConcurrentExecutions: 1000 } }),
  describeTable: () => ({ Table: {} }),
  getObject: () => ({ Body: { transformToString: () => JSON.stringify(read().template) } }),
  invoke: () => ({
    Payload: {
      transformToString: () =>
        read().payload ?? JSON.stringify({ body: JSON.stringify({ failed: read().failed }) }),
    },
  }),
  describeStacks({ StackName }) {
    const { stack } = read();
    if (StackName.startsWith("people-"))
      return describe({ status: "CREATE_COMPLETE", outputs: { Bucket: "bucket", Version: "99" } });
    if (!stack) throw new Error("the stack does not exist");
    return describe(stack);
  },
  // A page for each event; those without a token have that of the execution.
  paginateDescribeStackEvents: () =>
    read().events.map((/** @type {{ ClientRequestToken: string }} */ event) => ({
      StackEvents: [{ ...event, ClientRequestToken: event.ClientRequestToken ?? read().token }],
    })),
  describeChangeSet: () => ({
    ...{ Status: "CREATE_COMPLETE", ExecutionStatus: "EXECUTE_COMPLETE" },
    ...read().changeSet,
  }),
  paginateDescribeChangeSet: () => [
    {
      Changes: read().changes ?? [
        { ResourceChange: { Action: "Add", LogicalResourceId: "Table", ResourceType: "Table" } },
      ],
    },
  ],
  // Another operator's deployment, in the course of this one.
  createChangeSet: () => write(read().meanwhile ?? {}),
  executeChangeSet({ ClientRequestToken: token }) {
    if (read().overtaken) throw new Error("ChangeSet [burgee-prod-1] does not exist");
    const [now, ...later] = [read().afterExecution].flat();
    write({ failed: [], ...now, afterExecution: later, token });
  },
  deleteStack: () => write({ stack: read().left }),
};

/** @param {string} name */
const call = (name) => (/** @type {{ StackName: string }} */ input) =>
  name.startsWith("paginate") ? answers[name]?.(input) : answer(name, input);

/**
 * @param {string} name
 * @param {{ StackName: string }} input
 */
async function answer(name, input) {
  appendFileSync("calls.jsonl", `${JSON.stringify({ name, ...input })}\n`);
  if (read().denied === name)
    throw Object.assign(new Error("a reason"), { name: "AccessDenied", $metadata: {} });
  return answers[name]?.(input) ?? {};
}

/** Has every call as a method. */
class Client {
  constructor() {
    const endpointProvider = (/** @type {{ Region: string, Bucket: string }} */ { Region, Bucket }) => ({
      url: new URL(`https://s3.${Region}.amazonaws.com/${Bucket}`),
    });
    const config = { region: async () => process.env.AWS_REGION, endpointProvider };
    // biome-ignore lint/correctness/noConstructorReturn: as many methods as AWS has calls.
    return new Proxy(this, { get: (_, name) => (name === "config" ? config : call(String(name))) });
  }
}

// Pauses take no time, and move the clock.
let slept = 0;
const { now } = Date;
Object.assign(timers, {
  setTimeout: async (/** @type {number} */ ms) => {
    slept += ms;
  },
});
Module.syncBuiltinESMExports();
Date.now = () => now() + slept;

Object.assign(globalThis, {
  fetch: async () => new Response('{"name":"AuthenticationRequired"}', { status: read().gateway ?? 401 }),
});

const clients = { CloudFormation: Client, DynamoDB: Client, Lambda: Client, S3: Client, STS: Client };
const loader = /** @type {{ _load: (name: string, ...rest: unknown[]) => unknown }} */ (
  /** @type {unknown} */ (Module)
);
const { _load: load } = loader;
loader._load = (/** @type {string} */ name, /** @type {unknown[]} */ ...rest) =>
  name.startsWith("@aws-sdk/client-") ? clients : load(name, ...rest);
