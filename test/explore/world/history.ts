/**
 * Runs the code of a process once for each history, and keeps the result: what the process does next depends on what was
 * delivered to it, and on nothing else.
 */
import type { TableCall } from "../table/table.ts";
import { digest, rememberedBy } from "./digest.ts";
import type { Origin, Script } from "./driver.ts";
import type { Attempt } from "./intent.ts";
import { type Delivery, deliver, type Process, startProcess } from "./process.ts";

export interface Call extends TableCall {
  number: number;
  isWrite: boolean;
  attempt: string;
}

/** A process after all that was delivered to it so far. */
export interface Local {
  /** Identifies the history. */
  id: number;
  name: string;
  calls: readonly Call[];
  attempts: readonly Attempt[];
  isDone: boolean;
  hasTimer: boolean;
  failure?: string;
}

interface HistoryNode extends Local {
  /** Where its process can start. */
  origin: Origin | undefined;
  /** Undefined at its origin. */
  before: { node: HistoryNode; delivered: Delivery } | undefined;
  next: Map<string, HistoryNode>;
}

export interface Histories {
  begin(name: string): Promise<Local>;
  after(local: Local, delivered: Delivery): Promise<Local>;
}

const mostLive = 500;

export function createHistories(scripts: Readonly<Record<string, Script>>, isWhole = false): Histories {
  const beginnings = new Map<string, HistoryNode>();
  /** By what its process is there. */
  const origins = new Map<string, HistoryNode>();
  const killed = new Map<string, HistoryNode>();
  let nodes = 0;
  /** The latest processes that can continue from where they are, by the id of their history. */
  const live = new Map<number, Process>();

  function toNode(name: string, process: Process, before?: HistoryNode["before"]): HistoryNode {
    if (isWhole || !process.isAtOrigin || process.isDone) return newNode(name, process, before);
    const key = digest([name, process.origin]);
    const node = origins.get(key) ?? newNode(name, process, before);
    origins.set(key, node);
    return node;
  }

  function newNode(name: string, process: Process, before?: HistoryNode["before"]): HistoryNode {
    const { calls, attempts, isDone, clock, failure, origin, isAtOrigin } = process;
    nodes += 1;
    if (!isDone) live.set(nodes, process);
    const [oldest] = live.keys();
    if (oldest !== undefined && live.size > mostLive) live.delete(oldest);
    return {
      id: nodes,
      name,
      calls: [...calls].map(([number, { operation, toInput, attempt }]) => {
        return {
          number,
          operation,
          input: toInput(),
          attempt,
          isWrite: !/^(Get|BatchGet|Query|Scan)/.test(operation),
        };
      }),
      attempts: attempts.map((attempt) => ({ ...attempt })),
      isDone,
      hasTimer: clock.timers.size > 0,
      ...(failure !== undefined && { failure }),
      origin,
      before: isAtOrigin ? undefined : before,
      next: new Map(),
    };
  }

  const begin = (name: string, origin?: Origin): Promise<Process> =>
    startProcess(name, scripts[name] as Script, origin);

  async function goOn(node: HistoryNode, delivered: Delivery): Promise<HistoryNode> {
    let process = live.get(node.id);
    live.delete(node.id);
    if (!process) {
      process = await begin(node.name, node.origin);
      for (const one of deliveredTo(node)) await deliver(process, one);
      const [again, calls] = [[...process.calls.keys()], node.calls.map(({ number }) => number)];
      if (String(again) !== String(calls)) throw new Error(`${node.name} does not repeat its history`);
    }
    await deliver(process, delivered);
    return toNode(node.name, process, { node, delivered });
  }

  async function nextOf(node: HistoryNode, delivered: Delivery): Promise<HistoryNode> {
    const key = isResponse(delivered)
      ? `${delivered.call} ${delivered.status} ${digestOfBody(delivered.body)}`
      : digest(delivered);
    const next = node.next.get(key) ?? (await goOn(node, delivered));
    node.next.set(key, next);
    return next;
  }

  /** Swaps the last two responses into the order of their calls, if neither alone lets the process go on: then the swap changes nothing. */
  async function inOrder(latest: HistoryNode, delivered: Delivery): Promise<HistoryNode | undefined> {
    const { before } = latest;
    if (!before || !isResponse(delivered) || !isResponse(before.delivered)) return undefined;
    const { node } = before;
    const isLate =
      delivered.call < before.delivered.call && node.calls.some(({ number }) => number === delivered.call);
    if (!isLate || !isWaiting(node, latest)) return undefined;
    const first = await nextOf(node, delivered);
    return isWaiting(node, first) ? nextOf(first, before.delivered) : undefined;
  }

  return {
    async begin(name) {
      const known = beginnings.get(name) ?? toNode(name, await begin(name));
      beginnings.set(name, known);
      return known;
    },
    async after(local, delivered) {
      const node = local as HistoryNode;
      if (isWhole) return nextOf(node, delivered);
      if (delivered !== "killed") return (await inOrder(node, delivered)) ?? nextOf(node, delivered);
      const key = digest([node.name, node.attempts]);
      const next = killed.get(key) ?? (await nextOf(node, delivered));
      killed.set(key, next);
      return next;
    },
  };
}

const digestOfBody = rememberedBy((body: object) => digest(body));

function deliveredTo({ before }: HistoryNode): Delivery[] {
  return before ? [...deliveredTo(before.node), before.delivered] : [];
}

function isResponse(delivered: Delivery): delivered is Extract<Delivery, { status: number }> {
  return typeof delivered === "object" && "status" in delivered;
}

/** Whether a response changed nothing but that the process no longer waits for it. */
function isWaiting(before: Local, after: Local): boolean {
  const isSame = after.attempts.length === before.attempts.length && !after.attempts.at(-1)?.reply;
  const isFewer = after.calls.length === before.calls.length - 1;
  const numbers = before.calls.map(({ number }) => number);
  return isSame && isFewer && after.calls.every(({ number }) => numbers.includes(number));
}
