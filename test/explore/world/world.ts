/** All processes and the table between two steps, and what a step makes of them. Nothing in it is ever changed. */
import { checksOn } from "../checks.ts";
import type { Ledger } from "../ledger.ts";
import type { Table } from "../table/table.ts";
import type { Item } from "../table/values.ts";
import { faultDescriptions, outcome, sortKeyOf, summary } from "./describe.ts";
import type { Call, Histories, Local } from "./history.ts";
import { perform, type TableRules } from "./perform.ts";
import type { Delivery } from "./process.ts";
import { type Attempt, describeReply } from "./wish.ts";

export const faults = [
  "response-lost",
  "request-lost",
  "throttled",
  "overtaken",
  "deadline",
  "killed",
] as const;
export type Fault = (typeof faults)[number];

/** A process proceeds at one of its open calls, or a write that no process waits for takes effect. */
export type Choice =
  | { process: number; call: number; fault?: Fault; isPreemption: boolean; isFree?: boolean }
  | { stray: number };

/** What a schedule may still spend of the bounds. */
export interface Budget {
  faults: number;
  preemptions: number;
}

/** A write that is still on its way, although its sender gave it up. */
export interface Stray {
  call: Call;
  attempt: Attempt;
  seen: readonly (Item | undefined)[];
}

export interface World {
  table: Table;
  locals: readonly Local[];
  /** What calls of several steps have seen so far, by process and number of the call. */
  seen: Readonly<Record<string, readonly (Item | undefined)[]>>;
  strays: readonly Stray[];
  ledger: Ledger;
  last: number | undefined;
  left: Budget;
}

export interface Rules extends TableRules {
  histories: Histories;
  log?: (line: string) => void;
}

export async function step(world: World, choice: Choice, rules: Rules): Promise<World> {
  if ("stray" in choice) return land(world, choice.stray, rules);
  const { process, fault, isPreemption, isFree } = choice;
  const local = world.locals[process];
  const call = local?.calls[choice.call];
  if (!local || !call) throw new Error("no process waits for that call");
  const { faults, preemptions } = world.left;
  const left = { faults: faults - (fault ? 1 : 0), preemptions: preemptions - (isPreemption ? 1 : 0) };
  const before: World = { ...world, last: isFree ? world.last : process, left };
  if (fault !== undefined && fault !== "response-lost") {
    rules.log?.(`${local.name}: ${summary(call)}: ${faultDescriptions[fault]}`);
    return goOn(before, process, deliveryOf(call.number, fault), rules);
  }
  const id = `${process} ${call.number}`;
  const attempt = local.attempts.find(({ name }) => name === call.attempt);
  const { table, seen, response, ledger } = perform(before, call, attempt, before.seen[id], rules);
  const { [id]: _, ...others } = before.seen;
  if (!response) {
    rules.log?.(`${local.name}: ${summary(call)}: results in ${sortKeyOf(seen.at(-1))}`);
    return { ...before, table, ledger, seen: { ...others, [id]: seen } };
  }
  const lost = fault ? "; the response is lost" : "";
  rules.log?.(`${local.name}: ${summary(call)}: ${outcome(response)}${lost}`);
  const delivered: Delivery = fault
    ? { call: call.number, error: "hung up" }
    : { call: call.number, ...response };
  return goOn({ ...before, table, ledger, seen: others }, process, delivered, rules);
}

function deliveryOf(call: number, fault: Exclude<Fault, "response-lost">): Delivery {
  if (fault === "request-lost") return { call, error: "hung up" };
  if (fault === "overtaken") return { call, error: "timed out" };
  if (fault !== "throttled") return fault;
  const __type = "com.amazonaws.dynamodb.v20120810#ThrottlingException";
  return { call, status: 400, body: { __type, message: "Rate exceeded" } };
}

/** Delivers to a process. The writes that it no longer waits for stay on their way. */
async function goOn(
  world: World,
  process: number,
  delivered: Delivery,
  { histories, log }: Rules,
): Promise<World> {
  const before = world.locals[process] as Local;
  const local = await histories.after(before, delivered);
  const answered =
    typeof delivered === "object" && !("error" in delivered && delivered.error === "timed out")
      ? delivered.call
      : 0;
  const givenUp = before.calls.filter(
    ({ number, isWrite }) =>
      isWrite && number !== answered && !local.calls.some((one) => one.number === number),
  );
  const strays = givenUp.map((call) => ({
    call,
    attempt: before.attempts.find(({ name }) => name === call.attempt) ?? { name: "none" },
    seen: world.seen[`${process} ${call.number}`] ?? [],
  }));
  const checks = checksOn(world.ledger);
  const attempt = before.attempts.at(-1);
  if (delivered === "deadline" && attempt) checks.timedOut(attempt);
  follow(checks, local, before, world.table, log);
  const locals = world.locals.with(process, local);
  return { ...world, locals, strays: [...world.strays, ...strays], ledger: checks.ledger() };
}

/** Checks the attempts that it began and the responses that it received since. */
export function follow(
  checks: ReturnType<typeof checksOn>,
  { attempts, failure, name }: Local,
  before: Local | undefined,
  table: Table,
  log?: (line: string) => void,
): void {
  if (failure !== undefined) checks.fail(`${name} failed: ${failure}`);
  for (const [index, attempt] of attempts.entries()) {
    const known = before?.attempts[index];
    if (!known) checks.began(attempt, table);
    if (!attempt.reply || known?.reply) continue;
    log?.(`${name} <- ${describeReply(attempt)}`);
    checks.replied(attempt);
  }
}

function land(world: World, index: number, rules: Rules): World {
  const { call, attempt, seen: before } = world.strays[index] as Stray;
  const { table, seen, response, ledger } = perform(world, call, attempt, before, rules);
  const others = world.strays.filter((_, place) => place !== index);
  if (!response) return { ...world, table, ledger, strays: [...others, { call, attempt, seen }] };
  rules.log?.(`late, of ${attempt.name}: ${summary(call)}: ${outcome(response)}`);
  return { ...world, table, ledger, strays: others };
}
