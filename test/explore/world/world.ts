/** All processes and the table between two steps, and what a step makes of them. Nothing in it is ever changed. */
import { checksOn } from "../checks.ts";
import type { Ledger } from "../ledger.ts";
import type { Table } from "../table/table.ts";
import type { Item } from "../table/values.ts";
import { faultDescriptions, outcome, sortKeyOf, summary } from "./describe.ts";
import type { Call, Histories, Local } from "./history.ts";
import { perform, type TableRules } from "./perform.ts";
import type { Told } from "./process.ts";
import { type Attempt, describeReply } from "./wish.ts";

export const faults = [
  "answer-lost",
  "request-lost",
  "throttled",
  "overtaken",
  "deadline",
  "killed",
] as const;
export type Fault = (typeof faults)[number];

/** What goes on: a process, at one of the calls that it waits for; or a write that nobody waits for any more. */
export type Choice =
  | { process: number; call: number; fault?: Fault; isPreemption: boolean; isFree?: boolean }
  | { stray: number };

/** What a schedule may still spend of the bounds. */
export interface Budget {
  faults: number;
  preemptions: number;
}

/** A write that is still on its way, though whoever sent it gave it up. */
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
  tell?: (line: string) => void;
}

export async function step(world: World, choice: Choice, rules: Rules): Promise<World> {
  if ("stray" in choice) return land(world, choice.stray, rules);
  const { process, fault, isPreemption, isFree } = choice;
  const local = world.locals[process];
  const call = local?.calls[choice.call];
  if (!local || !call) throw new Error("nobody waits for that call");
  const { faults, preemptions } = world.left;
  const left = { faults: faults - (fault ? 1 : 0), preemptions: preemptions - (isPreemption ? 1 : 0) };
  const before: World = { ...world, last: isFree ? world.last : process, left };
  if (fault !== undefined && fault !== "answer-lost") {
    rules.tell?.(`${local.name}: ${summary(call)}: ${faultDescriptions[fault]}`);
    return goOn(before, process, toldOf(call.number, fault), rules);
  }
  const id = `${process} ${call.number}`;
  const attempt = local.attempts.find(({ name }) => name === call.attempt);
  const { table, seen, response, ledger } = perform(before, call, attempt, before.seen[id], rules);
  const { [id]: _, ...others } = before.seen;
  if (!response) {
    rules.tell?.(`${local.name}: ${summary(call)}: comes to ${sortKeyOf(seen.at(-1))}`);
    return { ...before, table, ledger, seen: { ...others, [id]: seen } };
  }
  const lost = fault ? "; the answer is lost" : "";
  rules.tell?.(`${local.name}: ${summary(call)}: ${outcome(response)}${lost}`);
  const told: Told = fault ? { call: call.number, error: "hung up" } : { call: call.number, ...response };
  return goOn({ ...before, table, ledger, seen: others }, process, told, rules);
}

function toldOf(call: number, fault: Exclude<Fault, "answer-lost">): Told {
  if (fault === "request-lost") return { call, error: "hung up" };
  if (fault === "overtaken") return { call, error: "timed out" };
  if (fault !== "throttled") return fault;
  const __type = "com.amazonaws.dynamodb.v20120810#ThrottlingException";
  return { call, status: 400, body: { __type, message: "Rate exceeded" } };
}

/** The process is told; the calls that it no longer waits for are on their way all the same. */
async function goOn(world: World, process: number, told: Told, { histories, tell }: Rules): Promise<World> {
  const before = world.locals[process] as Local;
  const local = await histories.after(before, told);
  const answered =
    typeof told === "object" && !("error" in told && told.error === "timed out") ? told.call : 0;
  const givenUp = before.calls.filter(
    ({ number, isWrite }) =>
      isWrite && number !== answered && !local.calls.some((one) => one.number === number),
  );
  const strays = givenUp.map((call) => ({
    call,
    attempt: before.attempts.find(({ name }) => name === call.attempt) ?? { name: "nobody" },
    seen: world.seen[`${process} ${call.number}`] ?? [],
  }));
  const checks = checksOn(world.ledger);
  const attempt = before.attempts.at(-1);
  if (told === "deadline" && attempt) checks.timedOut(attempt);
  follow(checks, local, before, world.table, tell);
  const locals = world.locals.with(process, local);
  return { ...world, locals, strays: [...world.strays, ...strays], ledger: checks.ledger() };
}

/** What it began and what it was answered since. */
export function follow(
  checks: ReturnType<typeof checksOn>,
  { attempts, failure, name }: Local,
  before: Local | undefined,
  table: Table,
  tell?: (line: string) => void,
): void {
  if (failure !== undefined) checks.fail(`${name} failed: ${failure}`);
  for (const [index, attempt] of attempts.entries()) {
    const known = before?.attempts[index];
    if (!known) checks.began(attempt, table);
    if (!attempt.reply || known?.reply) continue;
    tell?.(`${name} <- ${describeReply(attempt)}`);
    checks.replied(attempt);
  }
}

function land(world: World, index: number, rules: Rules): World {
  const { call, attempt, seen: before } = world.strays[index] as Stray;
  const { table, seen, response, ledger } = perform(world, call, attempt, before, rules);
  const others = world.strays.filter((_, place) => place !== index);
  if (!response) return { ...world, table, ledger, strays: [...others, { call, attempt, seen }] };
  rules.tell?.(`late, of ${attempt.name}: ${summary(call)}: ${outcome(response)}`);
  return { ...world, table, ledger, strays: others };
}
