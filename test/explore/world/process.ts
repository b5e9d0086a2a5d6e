/** One client with the sandbox that serves it, or one operator: its code, its open calls and its responses. */
import { createDriver, type Origin, type Script } from "./driver.ts";
import type { Attempt } from "./intent.ts";
import { intercept, lostConnection, type Sent } from "./network.ts";
import { type Clock, createClock, fireNext, runAs, settled, startOf, startOfTime } from "./time.ts";

/** What a process receives. */
export type Delivery =
  | { call: number; status: number; body: object }
  | { call: number; error: "hung up" | "timed out" }
  | "deadline"
  | "killed";

export interface Process {
  clock: Clock;
  /** The deadline of the invocation. */
  endsAt: number;
  /** By the order in which they were made. */
  calls: Map<number, Sent & { attempt: string }>;
  sent: number;
  attempts: Attempt[];
  /** The origin of its last request that began while nothing of it was open. */
  origin?: Origin;
  isAtOrigin: boolean;
  isDone: boolean;
  failure?: string;
  kill: () => void;
}

const mostSleeps = 1000;
/** The longest time of a send in lib/store/dynamodb/session.ts. */
const attemptMs = 2500;
const callMs = 50;
const retryMs = 60_000;
/** Random bytes that one sandbox draws. */
const mostOfSandbox = 1000;

let running: Process | undefined;

export function catchCalls(): void {
  intercept(
    (call) => {
      if (!running) throw new Error("a call to the table while no process runs");
      running.sent += 1;
      running.calls.set(running.sent, { ...call, attempt: running.attempts.at(-1)?.name ?? "" });
    },
    (call) => {
      for (const [number, { answer }] of running?.calls ?? []) {
        if (answer === call.answer) running?.calls.delete(number);
      }
    },
  );
}

export async function startProcess(name: string, script: Script, origin?: Origin): Promise<Process> {
  const process: Process = {
    clock: createClock(name),
    endsAt: startOfTime,
    calls: new Map(),
    sent: 0,
    attempts: [],
    isAtOrigin: false,
    isDone: false,
    kill() {},
  };
  running = process;
  runAs(process.clock);
  script(createDriver(process, origin)).then(
    () => {
      process.isDone = true;
    },
    (error) => {
      process.failure = String(error?.stack ?? error);
    },
  );
  await rest(process);
  return process;
}

/** Delivers what a process waits for, and lets it run until it waits again. */
export async function deliver(process: Process, delivered: Delivery): Promise<void> {
  const { calls, clock } = process;
  running = process;
  process.isAtOrigin = false;
  runAs(clock);
  if (delivered === "deadline") await reachDeadline(process);
  else if (delivered === "killed") {
    calls.clear();
    clock.timers.clear();
    // The client retries at a time of its own; a new sandbox knows nothing of the one before.
    const { length } = process.attempts;
    clock.now = startOf(clock.name) + length * retryMs;
    clock.drawn = length * mostOfSandbox;
    process.kill();
  } else {
    await pass(process, "error" in delivered && delivered.error === "timed out" ? attemptMs : callMs);
    const call = calls.get(delivered.call);
    calls.delete(delivered.call);
    if ("status" in delivered) call?.answer(delivered.status, delivered.body);
    // The session has given up a send whose time was over.
    else call?.fail(lostConnection());
  }
  await rest(process);
}

/** Timers whose time has come fire before the response arrives. */
async function pass({ clock }: Process, ms: number): Promise<void> {
  const until = clock.now + ms;
  while (fireNext(clock, until)) await settled();
  clock.now = until;
}

/** The invocation's time is over while a call is open. */
async function reachDeadline(process: Process): Promise<void> {
  const { calls, clock, endsAt } = process;
  const [open, sent] = [calls.size, process.sent];
  const isWaiting = () => calls.size === open && process.sent === sent;
  clock.now = Math.max(clock.now, endsAt);
  while (isWaiting() && fireNext(clock)) await settled();
}

/** A process that waits for its clock alone goes on at once: no other process can observe when that was. */
async function rest(process: Process): Promise<void> {
  await settled();
  const isAsleep = () => !process.isDone && process.calls.size === 0;
  for (let count = 0; isAsleep() && fireNext(process.clock); count++) {
    await settled();
    if (count === mostSleeps) process.failure = "it sleeps forever";
    if (count === mostSleeps) break;
  }
  runAs();
}
