/** Explores a scenario's schedules within bounds of faults and preemptions. */
import type { Item } from "../../infra/engine/values.ts";
import { checksOn } from "./checks/checks.ts";
import { begin, type Scenario } from "./scenarios/scenario.ts";
import { choicesOf } from "./world/choices.ts";
import { digest } from "./world/digest.ts";
import { endOf, stateOf } from "./world/state.ts";
import { type Choice, step, type World } from "./world/world.ts";

export interface Exploration {
  /** Includes the steps to states that were known before. */
  steps: number;
  states: number;
  /** How many ends there are, with a digest of what is stored and received at them. */
  ends: string;
  /** The schedule that leads to the first violation. */
  violation: readonly Choice[] | undefined;
}

export interface Options {
  /** The most faults in one schedule. */
  mostFaults: number;
  /** The most preemptions in one schedule: each leaves a process that could proceed. */
  mostPreemptions: number;
  /** Explores the shortest schedules first. */
  breadthFirst: boolean;
  /**
   * Turns off the reductions: known states are continued from again, reads fail as well, a process keeps the
   * history of its earlier requests, and responses to concurrent calls arrive in every order.
   */
  isWhole: boolean;
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

/** No scenario has a schedule that is nearly as long. */
const mostSteps = 500;

/** Stops at the first violation. */
export async function explore(scenario: Scenario, options: Options): Promise<Exploration> {
  const { mostPreemptions, breadthFirst, isWhole } = options;
  const { world, rules } = await begin(scenario, options);
  const possible = { faults: scenario.faults, isWhole };
  /** How many faults were left when a state was continued from. */
  const known = new Map<string, number>();
  const ends = new Set<string>();
  const waiting: (Waiting | undefined)[] = [{ world, path: undefined, preemptionsLeft: mostPreemptions }];
  let steps = 0;

  const resultOf = (violation?: readonly Choice[]): Exploration => ({
    steps,
    states: known.size,
    violation,
    ends: `${ends.size} (${digest([...ends].sort()).slice(0, 8)})`,
  });

  let front = 0;
  // Taking from the front of a long array would move the rest, so its place is cleared, which frees the world.
  const take = () => (breadthFirst ? waiting.splice(front++, 1, undefined)[0] : waiting.pop());
  for (let from = take(); from; from = take()) {
    const { world, path } = from;
    if (violationIn(world, scenario) !== undefined) return resultOf(scheduleOf(path));
    const isBounded = Number.isFinite(mostPreemptions);
    const state = [stateOf(world), ...(isBounded ? [from.last, from.preemptionsLeft] : [])].join();
    const faultsLeftThen = known.get(state);
    if (!isWhole && faultsLeftThen !== undefined && faultsLeftThen >= world.faultsLeft) continue;
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
  return resultOf();
}

function isPreemption({ world, last }: Waiting, choice: Choice): boolean {
  if (last === undefined || !("process" in choice) || choice.process === last) return false;
  return (world.locals[last]?.calls.length ?? 0) > 0;
}

export function violationIn(world: World, { succeed = [], dropsNone }: Scenario): string | undefined {
  const { locals, strays, length, table } = world;
  const checks = checksOn(world.ledger);
  if (dropsNone && [...table.values()].some(hasDropped))
    checks.fail("a change is dropped: dropsNone is wrong");
  if (length > mostSteps) checks.fail("the schedule does not end");
  if (isDone(world)) {
    checks.ended(locals.flatMap(({ attempts }) => attempts));
    for (const { name, attempts } of locals.filter((local) => succeed.includes(local.name))) {
      if (![200, 201].includes(attempts.at(-1)?.reply?.status ?? 0))
        checks.fail(`${name} has not come to an end`);
    }
  } else if (strays.length === 0 && locals.every(({ calls }) => calls.length === 0)) {
    checks.fail("a process waits forever");
  }
  const { violations } = checks.ledger();
  return violations.length > 0 ? [...new Set(violations)].join("\n     ") : undefined;
}

function hasDropped({ droppedIds }: Item): boolean {
  return Object(droppedIds).L?.length > 0;
}

function isDone({ locals }: World): boolean {
  return locals.every((local) => local.isDone);
}

function scheduleOf(path: Path | undefined): Choice[] {
  const schedule: Choice[] = [];
  for (let at = path; at; at = at.before) schedule.unshift(at.choice);
  return schedule;
}
