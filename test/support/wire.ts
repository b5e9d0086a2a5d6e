/** Stands between the SDK and an engine: counts the calls and injects faults. */
import { once } from "node:events";
import { Agent, createServer, type IncomingHttpHeaders, request } from "node:http";
import { setTimeout } from "node:timers/promises";
import { clientOf } from "../../infra/engine/client.ts";
import type { EngineResponse } from "../../infra/engine/refusals.ts";
import { type OpenEngine, openInMemory } from "../../infra/engine/storage.ts";
import { type Client, createClient } from "../../lib/store/dynamodb/client.ts";
import { listen } from "./listening.ts";
import { settingsOf } from "./table.ts";

export interface Call {
  /** The operation in `X-Amz-Target`: "GetItem", "UpdateItem"... */
  operation: string;
  input: Record<string, unknown>;
  /** The same for all attempts of a write, and for equal reads. */
  id: string;
  /** 1, and more where a call of this id was made before. */
  attempt: number;
  /** The request units that the engine counted for it; none where it failed. */
  units: number;
  /** The engine's response. */
  response?: EngineResponse;
}

/**
 * What happens to a call: passed on, passed on without its response, passed on twice with the second response (as a proxy
 * does whose connection broke), passed on late, or refused with an error.
 */
export type Fate =
  | "pass"
  | "repeat"
  | "lose the answer"
  | { beforeMs: number }
  | { error: string; status?: number; message?: string; members?: object };

export interface Wire {
  /** Where the SDK of another process finds it; "" of an engine in this process. */
  endpoint: string;
  /** Calls the engine through it. */
  client: Client;
  calls: Call[];
  /** Whether a failed condition returns the item that failed it, if the call requests it. */
  oldItems: "returned" | "withheld";
  /** The most items in a page of a query, until the next `reset`: pages of 1 MB would take many. */
  pageItems: number | undefined;
  /** Decides on every call from now on, until the next `reset`. */
  decide(fate: (call: Call) => Fate | Promise<Fate>): void;
  /** Runs `happens` before the first call that `isIt` matches reaches the engine; passes all calls. */
  beforeFirst(isIt: (call: Call) => boolean, happens: () => Promise<unknown>): void;
  /** Decides on writes alone, which are counted from 1. */
  decideWrites(fate: (count: number, call: Call) => Fate | Promise<Fate>): void;
  reset(): void;
  close(): void;
}

/** If a call were held for longer, as on a busy machine, it would be retried before what happens is over. */
const longestHoldMs = 2000;
const throttled: Fate = { error: "ThrottlingException" };

type Send = (call: Call, passOn: PassOn) => Promise<EngineResponse | undefined>;
type PassOn = (call: Pick<Call, "operation" | "input">) => Promise<EngineResponse>;

/** To a new engine in this process. */
export function openWire(): Wire {
  const { wire, send } = createControls();
  return Object.assign(wire, { endpoint: "", client: directClient(openInMemory(), send), close() {} });
}

function directClient(engine: OpenEngine, send: Send): Client {
  const passOn: PassOn = ({ operation, input }) => engine.call(operation, input);
  const client = clientOf({
    ...engine,
    async call(operation, input) {
      const response = await send(toCall(operation, JSON.stringify(input)), passOn);
      if (response) return response;
      throw Object.assign(new Error("the connection was lost"), { code: "ECONNRESET" });
    },
  });
  return Object.assign(client, { send: untilAborted(client.send.bind(client) as AnySend) });
}

type AnySend = (command: unknown, options?: { abortSignal?: AbortSignal }) => Promise<unknown>;

/** As over a connection, the caller stops waiting when its signal aborts, and what was sent still arrives. */
function untilAborted(send: AnySend): AnySend {
  return (command, options) => {
    const sent = send(command, options);
    const signal = options?.abortSignal;
    if (!signal) return sent;
    const aborted = new Promise<never>((_, reject) => {
      signal.onabort = () => reject(signal.reason);
    });
    return Promise.race([sent, aborted]);
  };
}

/**
 * By an address, to which the environment leads the SDK from now on: that of a proxy before the engine at another address,
 * or of a new engine in this process, which the wire's own client may call directly.
 */
export async function createWire(engine?: string, isDirect = false): Promise<Wire> {
  const agent = new Agent({ keepAlive: true });
  const own = openInMemory();
  const { wire, send } = createControls();
  const server = createServer(async (incoming, outgoing) => {
    const { headers } = incoming;
    const text = Buffer.concat(await incoming.toArray()).toString();
    const call = toCall(String(headers["x-amz-target"]).split(".")[1] ?? "", text);
    const passOn: PassOn = ({ operation, input }) =>
      engine === undefined ? own.call(operation, input) : forward(engine, agent, headers, input);
    const answer = await send(call, passOn).catch(() => undefined);
    // The connection breaks, also where the wire was closed while the engine had the call.
    if (!answer) return void outgoing.destroy();
    outgoing.writeHead(answer.status, { "content-type": "application/x-amz-json-1.0" });
    outgoing.end(JSON.stringify(answer.body));
  });
  const endpoint = `http://127.0.0.1:${await listen(server)}`;
  Object.assign(process.env, settingsOf(endpoint));
  return Object.assign(wire, {
    endpoint,
    client: isDirect && engine === undefined ? directClient(own, send) : createClient(),
    close() {
      server.closeAllConnections();
      server.close();
      agent.destroy();
    },
  });
}

function createControls() {
  let fate: (call: Call) => Fate | Promise<Fate> = () => "pass";
  const calls: Call[] = [];
  const attempts = new Map<string, number>();
  const wire: Omit<Wire, "endpoint" | "client" | "close"> = {
    calls,
    oldItems: "returned",
    pageItems: undefined,
    decide(decide) {
      fate = decide;
    },
    beforeFirst(isIt, happens) {
      let over: Promise<true> | undefined;
      let held: string | undefined;
      fate = async (call): Promise<Fate> => {
        const isFirst = over === undefined && isIt(call);
        if (isFirst) over = happens().then(() => true);
        const id = withoutDrawn(call.id);
        if (!isFirst && id !== held) return "pass";
        held = undefined;
        if (await Promise.race([over, setTimeout(longestHoldMs, false)])) return "pass";
        held = id;
        return throttled;
      };
    },
    decideWrites(decide) {
      let count = 0;
      fate = (call) => (call.operation === "UpdateItem" ? decide(++count, call) : "pass");
    },
    reset() {
      fate = () => "pass";
      wire.pageItems = undefined;
      calls.length = 0;
      attempts.clear();
    },
  };

  /** Returns undefined if the response is lost. */
  async function send(call: Call, passOn: PassOn): Promise<EngineResponse | undefined> {
    call.attempt += attempts.get(call.id) ?? 0;
    attempts.set(call.id, call.attempt);
    calls.push(call);
    const decided = await fate(call);
    if (typeof decided === "object" && "error" in decided) return refusalOf(decided);
    if (typeof decided === "object" && "beforeMs" in decided) await setTimeout(decided.beforeMs);
    const sent = { operation: call.operation, input: sentOf(call) };
    if (decided === "repeat") await passOn(sent);
    const answer = await passOn(sent);
    call.units = unitsOf(answer);
    call.response = wire.oldItems === "withheld" ? withoutItem(answer) : answer;
    return decided === "lose the answer" ? undefined : call.response;
  }

  /** The same call, which also returns its cost. */
  function sentOf({ operation, input }: Call): Call["input"] {
    const isPaged = operation === "Query" && wire.pageItems !== undefined;
    const limit = isPaged && { Limit: wire.pageItems };
    const cost = !operation.endsWith("Table") && { ReturnConsumedCapacity: "TOTAL" };
    return { ...input, ...limit, ...cost };
  }

  return { wire, send };
}

/** A write may be sent again with another uid and time. */
function withoutDrawn(id: string): string {
  return id.replaceAll(/"(uid|at)":\{"S":"[^"]*"\}/g, "");
}

function toCall(operation: string, text: string): Call {
  return { operation, input: JSON.parse(text), id: operation + text, attempt: 1, units: 0 };
}

function unitsOf({ status, body }: EngineResponse): number {
  if (status !== 200) return 0;
  const { ConsumedCapacity = [] } = body as { ConsumedCapacity?: { CapacityUnits: number } };
  // A batch has them for each table.
  return [ConsumedCapacity].flat().reduce((sum, { CapacityUnits }) => sum + CapacityUnits, 0);
}

async function forward(
  to: string,
  agent: Agent,
  headers: IncomingHttpHeaders,
  input: Call["input"],
): Promise<EngineResponse> {
  const body = Buffer.from(JSON.stringify(input));
  const length = { "content-length": String(body.length) };
  const outgoing = request(to, { method: "POST", agent, headers: { ...headers, ...length } });
  outgoing.end(body);
  const [answer] = await once(outgoing, "response");
  return { status: answer.statusCode, body: JSON.parse(Buffer.concat(await answer.toArray()).toString()) };
}

function withoutItem(answer: EngineResponse): EngineResponse {
  const isConditionFailure = String(answer.body.__type).endsWith("#ConditionalCheckFailedException");
  return isConditionFailure ? { ...answer, body: { ...answer.body, Item: undefined } } : answer;
}

function refusalOf({
  error,
  status = 400,
  message = "",
  members = {},
}: Extract<Fate, { error: string }>): EngineResponse {
  return { status, body: { __type: `com.amazonaws.dynamodb.v20120810#${error}`, message, ...members } };
}

export const isRead = ({ operation }: Call) => operation === "GetItem";
export const isQuery = ({ operation }: Call) => operation === "Query";
export const isUpdate = ({ operation }: Call) => operation === "UpdateItem";

/** The put that creates a feature or replaces its item, not the reservation of its name. */
export function isPutOfFeature({ operation, input }: Call): boolean {
  const text = JSON.stringify(input);
  return operation === "PutItem" && text.includes('"FEATURE"') && !text.includes('"reservedBy"');
}
