/**
 * What a process does next depends on what it was told, and on nothing else. So its code runs once for each history:
 * whoever comes to the same history again finds there what came of it.
 */
import type { Input } from "../table/call.ts";
import type { Script, Surroundings } from "./hands.ts";
import { type Process, startProcess, type Told, tell } from "./process.ts";
import { digest } from "./state.ts";
import type { Attempt } from "./wish.ts";

export interface Call {
  number: number;
  operation: string;
  input: Input;
  isWrite: boolean;
  attempt: string;
}

/** A process after all that it was told so far. */
export interface Local {
  /** The same for the same history, other for another. */
  id: number;
  name: string;
  calls: readonly Call[];
  attempts: readonly Attempt[];
  isDone: boolean;
  hasTimer: boolean;
  failure?: string;
}

interface Node extends Local {
  before: { node: Node; told: Told } | undefined;
  next: Map<string, Node>;
}

export interface Histories {
  begin(name: string): Promise<Local>;
  after(local: Local, told: Told): Promise<Local>;
  /** How often the code of a process was run from its start. */
  readonly runs: number;
}

const mostLive = 500;

export function createHistories(
  scripts: Readonly<Record<string, Script>>,
  around: Surroundings,
  isWhole = false,
): Histories {
  const beginnings = new Map<string, Node>();
  const killed = new Map<string, Node>();
  let nodes = 0;
  let runs = 0;
  /** The latest processes that can continue from where they are, by the id of their history. */
  const live = new Map<number, Process>();

  function toNode(name: string, process: Process, before?: Node["before"]): Node {
    const { calls, attempts, isDone, clock, failure } = process;
    nodes += 1;
    if (!isDone) live.set(nodes, process);
    const [oldest] = live.keys();
    if (oldest !== undefined && live.size > mostLive) live.delete(oldest);
    return {
      id: nodes,
      name,
      calls: [...calls].map(([number, { operation, input, attempt }]) => {
        return { number, operation, input, attempt, isWrite: !/^(Get|BatchGet|Query|Scan)/.test(operation) };
      }),
      attempts: attempts.map((attempt) => ({ ...attempt })),
      isDone,
      hasTimer: clock.timers.size > 0,
      ...(failure !== undefined && { failure }),
      before,
      next: new Map(),
    };
  }

  function begin(name: string): Promise<Process> {
    runs += 1;
    return startProcess(name, scripts[name] as Script, around);
  }

  async function goOn(node: Node, told: Told): Promise<Node> {
    let process = live.get(node.id);
    live.delete(node.id);
    if (!process) {
      process = await begin(node.name);
      for (const one of toldTo(node)) await tell(process, one);
    }
    await tell(process, told);
    return toNode(node.name, process, { node, told });
  }

  async function nextOf(node: Node, told: Told): Promise<Node> {
    const key = digest(told);
    const next = node.next.get(key) ?? (await goOn(node, told));
    node.next.set(key, next);
    return next;
  }

  /** The history with its last two responses in the order of their calls, if neither alone lets the process go on. */
  async function inOrder(latest: Node, told: Told): Promise<Node | undefined> {
    const { before } = latest;
    if (!before || !isResponse(told) || !isResponse(before.told)) return undefined;
    const { node } = before;
    const isLate = told.call < before.told.call && node.calls.some(({ number }) => number === told.call);
    if (!isLate || !isWaiting(node, latest)) return undefined;
    const first = await nextOf(node, told);
    return isWaiting(node, first) ? nextOf(first, before.told) : undefined;
  }

  return {
    get runs() {
      return runs;
    },
    async begin(name) {
      const known = beginnings.get(name) ?? toNode(name, await begin(name));
      beginnings.set(name, known);
      return known;
    },
    async after(local, told) {
      const node = local as Node;
      if (isWhole) return nextOf(node, told);
      if (told !== "killed") return (await inOrder(node, told)) ?? nextOf(node, told);
      const key = digest([node.name, node.attempts]);
      const next = killed.get(key) ?? (await nextOf(node, told));
      killed.set(key, next);
      return next;
    },
  };
}

function toldTo({ before }: Node): Told[] {
  return before ? [...toldTo(before.node), before.told] : [];
}

function isResponse(told: Told): told is Extract<Told, { status: number }> {
  return typeof told === "object" && "status" in told;
}

/** Whether a response changed nothing but that the process no longer waits for it. */
function isWaiting(before: Local, after: Local): boolean {
  const isSame = after.attempts.length === before.attempts.length && !after.attempts.at(-1)?.reply;
  const isFewer = after.calls.length === before.calls.length - 1;
  const numbers = before.calls.map(({ number }) => number);
  return isSame && isFewer && after.calls.every(({ number }) => numbers.includes(number));
}
