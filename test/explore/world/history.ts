/**
 * What a process does next depends on what it was told, and on nothing else. So its code runs once for each history:
 * whoever comes to the same history again finds there what came of it.
 */
import { createHash } from "node:crypto";
import type { Input } from "../table/call.ts";
import type { Script, Surroundings } from "./hands.ts";
import { type Process, startProcess, type Told, tell } from "./process.ts";
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
  told: readonly Told[];
  next: Map<string, Node>;
}

export interface Histories {
  begin(name: string): Promise<Local>;
  after(local: Local, told: Told): Promise<Local>;
  /** How often the code of a process was run from its start. */
  readonly runs: number;
}

export function createHistories(scripts: Readonly<Record<string, Script>>, around: Surroundings): Histories {
  const beginnings = new Map<string, Node>();
  let nodes = 0;
  let runs = 0;
  /** The process that went on last can go on from there. */
  let latest: { id: number; process: Process } | undefined;

  function toNode(name: string, process: Process, told: readonly Told[]): Node {
    const { calls, attempts, isDone, clock, failure } = process;
    nodes += 1;
    latest = { id: nodes, process };
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
      told,
      next: new Map(),
    };
  }

  function begin(name: string): Promise<Process> {
    runs += 1;
    return startProcess(name, scripts[name] as Script, around);
  }

  async function goOn({ id, name, told: before }: Node, told: Told): Promise<Node> {
    let process = latest?.id === id ? latest.process : undefined;
    if (!process) {
      process = await begin(name);
      for (const one of before) await tell(process, one);
    }
    await tell(process, told);
    return toNode(name, process, [...before, told]);
  }

  return {
    get runs() {
      return runs;
    },
    async begin(name) {
      const known = beginnings.get(name) ?? toNode(name, await begin(name), []);
      beginnings.set(name, known);
      return known;
    },
    async after(local, told) {
      const node = local as Node;
      const key = digest(told);
      const next = node.next.get(key) ?? (await goOn(node, told));
      node.next.set(key, next);
      return next;
    },
  };
}

const digest = (told: Told) => createHash("md5").update(JSON.stringify(told)).digest("base64");
