/** Every schedule of a scenario within its bounds. */

import { queueKey } from "../../lib/store/items.ts";
import { checksOn } from "./checks.ts";
import { feature } from "./requests.ts";
import { type Bounded, begin, type Open } from "./scenario.ts";
import { choicesOf, labelOf } from "./world/choices.ts";
import { endOf, isKnown, stateOf } from "./world/state.ts";
import { type Budget, step, type World } from "./world/world.ts";

export interface Violation {
  what: string;
  schedule: readonly string[];
}

export interface Result {
  /** Steps from one state to another, whether it was new or not. */
  steps: number;
  states: number;
  /** What is stored and received at the ends of all of them. */
  ends: ReadonlySet<string>;
  longest: number;
  /** The most tickets that were taken of one queue, and whether a turn was ever given up. */
  tickets: number;
  isGivenUp: boolean;
  /** How often the code of one process was run from its start. */
  runs: number;
  violations: readonly Violation[];
  isComplete: boolean;
}

export interface Options {
  open: Open;
  /** The shortest schedules first. */
  breadthFirst?: boolean;
  /** Of the processor: however busy the machine is, as much is explored. */
  seconds?: number;
  /** Without reductions: states that were met before are continued from again. */
  isWhole?: boolean;
}

interface Waiting {
  world: World;
  path: Path | undefined;
  length: number;
}

interface Path {
  label: string;
  before: Path | undefined;
}

/** Far beyond the longest schedule of any scenario. */
const mostSteps = 500;

/** Until the first violation. */
export async function explore(scenario: Bounded, options: Options): Promise<Result> {
  const { open, breadthFirst = false, seconds = 1e6, isWhole = false } = options;
  const started = process.cpuUsage();
  const { world, rules } = await begin(scenario, open, isWhole);
  const possible = { faults: scenario.faults, changesKeys: scenario.changesKeys ?? false, isWhole };
  const countsPreemptions = Number.isFinite(scenario.bounds.preemptions);
  const known = new Map<string, Budget[]>();
  const ends = new Set<string>();
  const violations: Violation[] = [];
  const waiting: Waiting[] = [{ world, path: undefined, length: 0 }];
  const result = { steps: 0, longest: 0, tickets: 0, isGivenUp: false, isComplete: true };

  async function goOn({ world, path, length }: Waiting): Promise<void> {
    const what = violationIn(world, scenario);
    if (what !== undefined) {
      violations.push({ what, schedule: scheduleOf(path) });
      return;
    }
    if (isKnown(known, stateOf(world, countsPreemptions), world.left) && !isWhole) return;
    result.longest = Math.max(result.longest, length);
    const { lastTicket, givenUp } = (world.table.get(queueKey(feature, "dev")) ?? {}) as Record<
      string,
      { N: string }
    >;
    result.tickets = Math.max(result.tickets, Number(lastTicket?.N ?? 0) - (scenario.lastTicket ?? 0));
    result.isGivenUp ||= givenUp !== undefined;
    if (isDone(world)) ends.add(endOf(world));
    const choices = choicesOf(world, possible);
    if (choices.length === 0 && !isDone(world)) {
      violations.push({ what: "a process waits forever", schedule: scheduleOf(path) });
    }
    if (length === mostSteps)
      violations.push({ what: "the schedule does not end", schedule: scheduleOf(path) });
    for (const choice of breadthFirst ? choices : choices.reverse()) {
      const next = await step(world, choice, rules);
      result.steps += 1;
      waiting.push({
        world: next,
        path: { label: labelOf(choice, world), before: path },
        length: length + 1,
      });
    }
  }

  let visits = 0;
  // A queue from which the front is taken by moving its beginning on.
  for (let front = 0; front < waiting.length && violations.length === 0; ) {
    visits += 1;
    if (visits % 1000 === 0 && secondsSince(started) > seconds) {
      result.isComplete = false;
      break;
    }
    await goOn((breadthFirst ? waiting[front++] : waiting.pop()) as Waiting);
  }
  return { ...result, states: known.size, ends, runs: rules.histories.runs, violations };
}

export function secondsSince(started: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(started);
  return (user + system) / 1e6;
}

export function violationIn(world: World, { succeed = [] }: Bounded): string | undefined {
  const checks = checksOn(world.ledger);
  if (isDone(world)) {
    checks.ended(world.locals.flatMap(({ attempts }) => attempts));
    for (const { name, attempts } of world.locals.filter((local) => succeed.includes(local.name))) {
      if (attempts.at(-1)?.reply?.status !== 200) checks.fail(`${name} has not come to an end`);
    }
  }
  const { violations } = checks.ledger();
  return violations.length > 0 ? [...new Set(violations)].join("\n     ") : undefined;
}

export function isDone({ locals }: World): boolean {
  return locals.every((local) => local.isDone);
}

function scheduleOf(path: Path | undefined): string[] {
  const labels: string[] = [];
  for (let at = path; at; at = at.before) labels.unshift(at.label);
  return labels;
}
