/** Every schedule of a scenario with up to this many faults and preemptions. */
import { checksOn } from "./checks.ts";
import { begin, type Scenario } from "./scenario.ts";
import { choicesOf } from "./world/choices.ts";
import { digest } from "./world/digest.ts";
import type { Open } from "./world/hands.ts";
import { endOf, stateOf } from "./world/state.ts";
import { type Choice, step, type World } from "./world/world.ts";

export interface Result {
  /** Steps from one state to another, whether it was new or not. */
  steps: number;
  states: number;
  /** How many ends there are, with a digest of what is stored and received at them. */
  ends: string;
  /** The schedule that leads to the first violation. */
  violation: readonly Choice[] | undefined;
  isComplete: boolean;
}

export interface Options {
  open: Open;
  /** The most faults in one schedule. */
  mostFaults: number;
  /** How often a schedule leaves a process that could proceed; without a bound, every order is explored. */
  mostPreemptions?: number;
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
  /** The process that proceeded last. */
  last?: number | undefined;
  preemptionsLeft: number;
}

interface Path {
  choice: Choice;
  before: Path | undefined;
}

/** Far beyond the longest schedule of any scenario. */
const mostSteps = 500;

/** Until the first violation. */
export async function explore(scenario: Scenario, options: Options): Promise<Result> {
  const {
    open,
    mostFaults,
    mostPreemptions = Number.POSITIVE_INFINITY,
    breadthFirst = false,
    seconds = Number.POSITIVE_INFINITY,
    isWhole = false,
  } = options;
  const started = process.cpuUsage();
  const { world, rules } = await begin(scenario, { open, mostFaults, isWhole });
  const possible = { faults: scenario.faults, isWhole };
  /** The states that were continued from, with how many faults were left. */
  const known = new Map<string, number>();
  const ends = new Set<string>();
  const waiting: Waiting[] = [{ world, path: undefined, preemptionsLeft: mostPreemptions }];
  let steps = 0;

  const resultOf = (isComplete: boolean, violation?: readonly Choice[]): Result => ({
    ...{ steps, states: known.size, isComplete, violation },
    ends: `${ends.size} (${digest([...ends].sort()).slice(0, 8)})`,
  });

  // A queue from which the front is taken by moving its beginning on.
  for (let visits = 1, front = 0; front < waiting.length; visits++) {
    if (visits % 1000 === 0 && secondsSince(started) > seconds) return resultOf(false);
    const from = (breadthFirst ? waiting[front++] : waiting.pop()) as Waiting;
    const { world, path } = from;
    if (violationIn(world, scenario) !== undefined) return resultOf(true, scheduleOf(path));
    const isBounded = Number.isFinite(mostPreemptions);
    const state = [stateOf(world), ...(isBounded ? [from.last, from.preemptionsLeft] : [])].join();
    if ((known.get(state) ?? -1) >= world.faultsLeft && !isWhole) continue;
    known.set(state, world.faultsLeft);
    if (isDone(world)) ends.add(endOf(world));
    const choices = choicesOf(world, possible);
    for (const choice of breadthFirst ? choices : choices.reverse()) {
      const preemptionsLeft = from.preemptionsLeft - (isPreemption(from, choice) ? 1 : 0);
      if (preemptionsLeft < 0) continue;
      const last = "process" in choice ? choice.process : from.last;
      const next = await step(world, choice, rules);
      waiting.push({ world: next, path: { choice, before: path }, last, preemptionsLeft });
      steps += 1;
    }
  }
  return resultOf(true);
}

function isPreemption({ world, last }: Waiting, choice: Choice): boolean {
  if (last === undefined || !("process" in choice) || choice.process === last) return false;
  return (world.locals[last]?.calls.length ?? 0) > 0;
}

export function secondsSince(started: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(started);
  return (user + system) / 1e6;
}

export function violationIn(world: World, { succeed = [] }: Scenario): string | undefined {
  const { locals, strays, length } = world;
  const checks = checksOn(world.ledger);
  if (length > mostSteps) checks.fail("the schedule does not end");
  if (isDone(world)) {
    checks.ended(locals.flatMap(({ attempts }) => attempts));
    for (const { name, attempts } of locals.filter((local) => succeed.includes(local.name))) {
      if (attempts.at(-1)?.reply?.status !== 200) checks.fail(`${name} has not come to an end`);
    }
  } else if (strays.length === 0 && locals.every(({ calls }) => calls.length === 0)) {
    checks.fail("a process waits forever");
  }
  const { violations } = checks.ledger();
  return violations.length > 0 ? [...new Set(violations)].join("\n     ") : undefined;
}

function isDone({ locals }: World): boolean {
  return locals.every((local) => local.isDone);
}

function scheduleOf(path: Path | undefined): Choice[] {
  const schedule: Choice[] = [];
  for (let at = path; at; at = at.before) schedule.unshift(at.choice);
  return schedule;
}
