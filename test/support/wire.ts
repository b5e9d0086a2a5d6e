/** A proxy between the SDK and the engine, which counts the calls and injects faults. */
import { once } from "node:events";
import { Agent, createServer, type IncomingHttpHeaders, request, type ServerResponse } from "node:http";
import { setTimeout } from "node:timers/promises";
import { listen } from "./listening.ts";

export interface Call {
  /** As in `X-Amz-Target`: "GetItem", "UpdateItem"... */
  operation: string;
  input: Record<string, unknown>;
  /** The same for all attempts of a write, and for equal reads. */
  id: string;
  /** 1, and more where a call of this id was made before. */
  attempt: number;
  /** The request units that the engine counted for it; none where it failed. */
  units: number;
  /** The engine's response. */
  response?: Forwarded;
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
  endpoint: string;
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

export async function createWire(engine: string): Promise<Wire> {
  const agent = new Agent({ keepAlive: true });
  let fate: (call: Call) => Fate | Promise<Fate> = () => "pass";
  const calls: Call[] = [];
  const attempts = new Map<string, number>();
  const server = createServer(async (incoming, outgoing) => {
    const body = Buffer.concat(await incoming.toArray());
    const call = toCall(incoming.headers, body);
    call.attempt += attempts.get(call.id) ?? 0;
    attempts.set(call.id, call.attempt);
    calls.push(call);
    const decided = await fate(call);
    if (typeof decided === "object" && "error" in decided) return refuse(outgoing, decided);
    if (typeof decided === "object" && "beforeMs" in decided) await setTimeout(decided.beforeMs);
    const passOn = () => forward(engine, agent, incoming.headers, sentOf(call)).catch(() => undefined);
    if (decided === "repeat") await passOn();
    const answer = await passOn();
    // The wire was closed while the engine had the call, so its response is discarded.
    if (!answer) return void outgoing.destroy();
    call.units = unitsOf(answer);
    call.response = answer;
    if (wire.oldItems === "withheld" && isConditionFailure(answer)) withoutItem(answer);
    if (decided === "lose the answer") return void outgoing.destroy();
    outgoing.writeHead(answer.status, answer.headers).end(answer.body);
  });
  const port = await listen(server);

  const wire: Wire = {
    endpoint: `http://127.0.0.1:${port}`,
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
        if (!isFirst && call.id !== held) return "pass";
        held = undefined;
        if (await Promise.race([over, setTimeout(longestHoldMs, false)])) return "pass";
        held = call.id;
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
    close() {
      server.closeAllConnections();
      server.close();
      agent.destroy();
    },
  };
  return wire;

  /** The same call, which also returns its cost. */
  function sentOf({ operation, input }: Call): Buffer {
    const isPaged = operation === "Query" && wire.pageItems !== undefined;
    const limit = isPaged && { Limit: wire.pageItems };
    const asked = !operation.endsWith("Table") && { ReturnConsumedCapacity: "TOTAL" };
    return Buffer.from(JSON.stringify({ ...input, ...limit, ...asked }));
  }
}

function toCall(headers: IncomingHttpHeaders, body: Buffer): Call {
  const operation = String(headers["x-amz-target"]).split(".")[1] ?? "";
  const text = body.toString();
  const id = operation + text;
  return { operation, input: JSON.parse(text), id, attempt: 1, units: 0 };
}

function unitsOf({ status, body }: Forwarded): number {
  if (status !== 200) return 0;
  const { ConsumedCapacity = [] } = JSON.parse(body.toString());
  // A batch has them for each table.
  const parts: { CapacityUnits: number }[] = [ConsumedCapacity].flat();
  return parts.reduce((sum, { CapacityUnits }) => sum + CapacityUnits, 0);
}

interface Forwarded {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

async function forward(
  to: string,
  agent: Agent,
  headers: IncomingHttpHeaders,
  body: Buffer,
): Promise<Forwarded> {
  const length = { "content-length": String(body.length) };
  const outgoing = request(to, { method: "POST", agent, headers: { ...headers, ...length } });
  outgoing.end(body);
  const [answer] = await once(outgoing, "response");
  return { status: answer.statusCode, headers: answer.headers, body: Buffer.concat(await answer.toArray()) };
}

function isConditionFailure({ status, body }: Forwarded): boolean {
  return status === 400 && body.includes("#ConditionalCheckFailedException");
}

function withoutItem(answer: Forwarded): void {
  answer.body = Buffer.from(JSON.stringify({ ...JSON.parse(answer.body.toString()), Item: undefined }));
  answer.headers = {
    "content-type": "application/x-amz-json-1.0",
    "content-length": String(answer.body.length),
  };
}

function refuse(
  outgoing: ServerResponse,
  { error, status = 400, message = "", members = {} }: Extract<Fate, { error: string }>,
): void {
  const body = JSON.stringify({ __type: `com.amazonaws.dynamodb.v20120810#${error}`, message, ...members });
  outgoing.writeHead(status, { "content-type": "application/x-amz-json-1.0" }).end(body);
}
