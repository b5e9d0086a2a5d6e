/** All processes and the table between two steps, and what a step makes of them. Nothing in it is ever changed. */
import type { Item } from "../../../infra/engine/values.ts";
import { checksOn } from "../checks/checks.ts";
import type { Ledger } from "../checks/ledger.ts";
import type { ExploredTable } from "../table/table.ts";
import type { Call, Histories, Local } from "./history.ts";
import { type Attempt, describeReply } from "./intent.ts";
import { describeCall, describeResponse, perform, sortKeyOf, type TableRules } from "./perform.ts";
import type { Delivery } from "./process.ts";

/** The faults, each with its description in a printed schedule. */
const faultDescriptions = {
  "response-lost": "performed, and the response is lost",
  repeated: "performed, and sent again by a proxy",
  throttled: "throttled",
  late: "no response in time; the call is still on its way",
  deadline: "the deadline passes; the call is still on its way",
  killed: "the process is killed; the call is still on its way",
};
export type Fault = keyof typeof faultDescriptions;
export const faults = Object.keys(faultDescriptions) as Fault[];

/** A process proceeds at one of its open calls, or a write that no process waits for takes effect. */
export type Choice = { process: number; call: number; fault?: Fault } | { stray: number };

/** A write that is still on its way, although its sender gave it up. */
export interface Stray {
  call: Call;
  attempt: Attempt;
  /** What a batch has put already. */
  seen: readonly Item[];
}

export interface World {
  table: ExploredTable;
  locals: readonly Local[];
  /** What queries have seen and batches have put so far, by process and number of the call. */
  seen: Readonly<Record<string, readonly Item[]>>;
  strays: readonly Stray[];
  ledger: Ledger;
  faultsLeft: number;
  /** How many steps led here. */
  length: number;
}

export interface Rules extends TableRules {
  histories: Histories;
  log?: (line: string) => void;
}

export async function step(from: World, choice: Choice, rules: Rules): Promise<World> {
  const world = { ...from, length: from.length + 1 };
  if ("stray" in choice) return land(world, choice.stray, rules);
  const { process, fault } = choice;
  const local = world.locals[process];
  const call = local?.calls[choice.call];
  if (!local || !call) throw new Error("no process waits for that call");
  const before: World = { ...world, faultsLeft: world.faultsLeft - (fault ? 1 : 0) };
  const what = rules.log && `${local.name}: ${describeCall(call)}`;
  if (fault) rules.log?.(`${what}: ${faultDescriptions[fault]}`);
  if (fault && fault !== "response-lost" && fault !== "repeated")
    return goOn(before, process, deliveryOf(call.number, fault), rules);
  const id = `${process} ${call.number}`;
  const { [id]: seenBefore = [], ...others } = world.seen;
  // A response that is lost or not awaited is one of the whole call.
  const ruled = fault ? { ...rules, isTorn: false } : rules;
  const { table, ledger, seen, response } = perform(before, call, attemptOf(call, local), seenBefore, ruled);
  if (!response) {
    rules.log?.(`${what}: results in ${sortKeyOf(seen.at(-1))}`);
    return { ...before, table, ledger, seen: { ...others, [id]: seen } };
  }
  // The process waits for the response of the second copy.
  if (fault === "repeated") return { ...before, table, ledger, seen: others };
  if (!fault) rules.log?.(`${what}: ${describeResponse(response)}`);
  const delivered: Delivery = { call: call.number, ...(fault ? { error: "hung up" } : response) };
  return goOn({ ...before, table, ledger, seen: others }, process, delivered, rules);
}

const attemptOf = (call: Call, { attempts }: Local): Attempt =>
  attempts.find(({ name }) => name === call.attempt) ?? { name: "none" };

function deliveryOf(call: number, fault: Exclude<Fault, "response-lost" | "repeated">): Delivery {
  if (fault === "late") return { call, error: "timed out" };
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
  const strays = givenUp.map((call) => {
    const seen = world.seen[`${process} ${call.number}`] ?? [];
    return { call, attempt: attemptOf(call, before), seen };
  });
  const others = Object.entries(world.seen).filter(
    ([id]) => !givenUp.some(({ number }) => id === `${process} ${number}`),
  );
  const checks = checksOn(world.ledger);
  const attempt = before.attempts.at(-1);
  if (delivered === "deadline" && attempt) checks.timedOut(attempt);
  follow(checks, local, before, world.table, log);
  const locals = world.locals.with(process, local);
  const seen = Object.fromEntries(others);
  return { ...world, locals, seen, strays: [...world.strays, ...strays], ledger: checks.ledger() };
}

/** Checks the attempts that it began and the responses that it received since. */
export function follow(
  checks: ReturnType<typeof checksOn>,
  { attempts, failure, name }: Local,
  before: Local | undefined,
  table: ExploredTable,
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
  const stray = world.strays[index] as Stray;
  const { call, attempt } = stray;
  const { table, ledger, seen, response } = perform(world, call, attempt, stray.seen, rules);
  if (response) rules.log?.(`late, of ${attempt.name}: ${describeCall(call)}: ${describeResponse(response)}`);
  const strays = response ? world.strays.toSpliced(index, 1) : world.strays.with(index, { ...stray, seen });
  return { ...world, table, ledger, strays };
}
