/** Sends calls to the table, retries each until a deadline, and counts them. */
import type { DynamoDBDocumentClient, PutCommand, UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { TemporarilyUnavailable, toUnknownOutcome, type WriteDoubt } from "../contract/errors.ts";
import {
  isConditionFailure,
  isItemTooLarge,
  isThrottled,
  isTransient,
  mayBeStoredAfter,
  NoResponse,
  throttlingReasons,
  toFailure,
} from "./failures.ts";

export interface Session {
  table: string;
  send: DynamoDBDocumentClient["send"];
  /** Retries an attempt. Each may send another call, such as one for the rest of a batch. */
  retry<Output>(calls: (sendOnce: DynamoDBDocumentClient["send"]) => Promise<Output>): Promise<Output>;
  /** Sends a write. Each attempt sends the command that `build` returns. */
  write(build: () => UpdateCommand | PutCommand): Promise<Written>;
  usage: Usage;
}

export type Written = { isStored: true } | ({ isStored: false; refusal: Error } & WriteDoubt);

export interface Usage {
  /** A call counts once, however often it is retried. */
  calls: number;
  attempts: number;
  conflicts: number;
  /** The sum over all calls, parallel ones too. */
  ms: number;
  throttling: Set<string>;
}

interface Options {
  client: DynamoDBDocumentClient;
  table: string;
  remainingMs: () => number;
  /** Throttled calls are retried beyond it, until the deadline. */
  mostRetries?: number;
}

type Command = Parameters<DynamoDBDocumentClient["send"]>[0];
type SendOnce<Output> = (options: { abortSignal: AbortSignal }) => Promise<Output>;
type Ended<Output> = { output: Output } | ({ error: unknown } & WriteDoubt);

const marginMs = 300;
/** The time of an attempt includes reading the whole response. */
const attemptMs = 2500;
/** An attempt with less time is not made: no response could arrive. */
const leastAttemptMs = 50;
const firstPauseMs = 25;
const longestPauseMs = 1000;

export function openSession({
  client,
  table,
  remainingMs,
  mostRetries = Number.POSITIVE_INFINITY,
}: Options): Session {
  const usage: Usage = { calls: 0, attempts: 0, conflicts: 0, ms: 0, throttling: new Set() };
  const retrying = { usage, remainingMs, mostRetries };

  const retry: Session["retry"] = async (calls) => {
    const ended = await sendUntilLate(retrying, (options) =>
      calls(((command: Command) => client.send(command, options)) as DynamoDBDocumentClient["send"]),
    );
    if ("output" in ended) return ended.output;
    throw toFailure(ended.error);
  };
  const send = (command: Command): Promise<unknown> => retry((sendOnce) => sendOnce(command));

  const write: Session["write"] = async (build) => {
    // `send` has no overload for either of two commands.
    const ended = await sendUntilLate(retrying, (options) => client.send(build() as UpdateCommand, options));
    if ("output" in ended) return { isStored: true };
    const { error, mayBeStored } = ended;
    if (isConditionFailure(error) || isItemTooLarge(error))
      return { isStored: false, refusal: error, mayBeStored };
    throw mayBeStored ? toUnknownOutcome(error) : toFailure(error);
  };

  return { table, send: send as DynamoDBDocumentClient["send"], retry, write, usage };
}

interface Retrying extends Required<Pick<Options, "remainingMs" | "mostRetries">> {
  usage: Usage;
}

/** Attempts the call until it succeeds, fails for good or has no time left. */
async function sendUntilLate<Output>(retrying: Retrying, sendOnce: SendOnce<Output>): Promise<Ended<Output>> {
  const { usage, remainingMs } = retrying;
  const startedAt = performance.now();
  const endsAt = startedAt + remainingMs() - marginMs;
  if (startedAt + leastAttemptMs >= endsAt) {
    const error = new TemporarilyUnavailable("Timed out before reaching the database");
    return { error, mayBeStored: false };
  }
  usage.calls++;
  const ended = await attemptUntil(endsAt, retrying, sendOnce);
  usage.ms += performance.now() - startedAt;
  return ended;
}

async function attemptUntil<Output>(
  endsAt: number,
  { usage, mostRetries }: Retrying,
  sendOnce: SendOnce<Output>,
): Promise<Ended<Output>> {
  let mayBeStored = false;
  let tellingError: unknown;
  for (let retries = 0; ; retries++) {
    const limitMs = Math.min(attemptMs, endsAt - performance.now());
    const attempted = await attempt(usage, limitMs, sendOnce);
    if ("output" in attempted) return attempted;
    const { error } = attempted;
    mayBeStored ||= mayBeStoredAfter(error);
    const isCutShort = limitMs < attemptMs && error instanceof NoResponse;
    // Unless it is the only one, an attempt that the deadline has cut short says less than those before it.
    if (!isCutShort || retries === 0) tellingError = error;
    const pauseMs = Math.random() * Math.min(longestPauseMs, firstPauseMs * 2 ** (retries + 1));
    const isLate = isCutShort || performance.now() + pauseMs + leastAttemptMs >= endsAt;
    const isRetried = isTransient(error) && (retries < mostRetries || isThrottled(error));
    if (isLate || !isRetried) return { error: tellingError, mayBeStored };
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}

/** Counts the attempt, and aborts it after the time. */
async function attempt<Output>(
  usage: Usage,
  limitMs: number,
  sendOnce: SendOnce<Output>,
): Promise<{ output: Output } | { error: unknown }> {
  // AbortSignal.timeout would keep the call in memory until then, long after its response.
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), limitMs);
  usage.attempts++;
  try {
    return { output: await sendOnce({ abortSignal: late.signal }) };
  } catch (error) {
    if (isConditionFailure(error)) usage.conflicts++;
    for (const reason of throttlingReasons(error)) usage.throttling.add(reason);
    return { error: late.signal.aborted ? new NoResponse(limitMs) : error };
  } finally {
    clearTimeout(timer);
  }
}
