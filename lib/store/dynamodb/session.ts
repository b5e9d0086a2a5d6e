/** Makes calls to the table, sends each again after a failure until a deadline, and counts them. */
import type { ConditionalCheckFailedException } from "@aws-sdk/client-dynamodb";
import type { DynamoDBDocumentClient, PutCommand, UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { maxSendMs, minSendMs, responseReserveMs } from "../../clock.ts";
import {
  TemporarilyUnavailable,
  toUnknownOutcome,
  ValidationError,
  type WriteDoubt,
} from "../../contract/errors.ts";
import { limits } from "../../contract/limits.ts";
import {
  isConditionFailure,
  isItemTooLarge,
  isThrottled,
  isTransient,
  mayBeStoredAfter,
  TimeoutError,
  throttlingReasons,
  toFailure,
} from "./failures.ts";

export interface Session {
  table: string;
  /** Makes a call. Each send has the same command. */
  call: DynamoDBDocumentClient["send"];
  /**
   * Makes a call whose sends may differ: calls `work` until it succeeds, fails for good or has no time left. Each time
   * it may send another command, such as one for the rest of a batch.
   */
  perform<Output>(work: (sendOnce: DynamoDBDocumentClient["send"]) => Promise<Output>): Promise<Output>;
  /** Makes a call that writes. Each send has the command that `build` then returns. */
  write(build: () => UpdateCommand | PutCommand): Promise<StoredOrRefused>;
  usage: Usage;
}

/** A write is refused if its condition does not hold. */
export type StoredOrRefused =
  | { isStored: true }
  | ({ isStored: false; refusal: ConditionalCheckFailedException } & WriteDoubt);

export interface Usage {
  /** A call counts once, however often it is sent. */
  calls: number;
  sends: number;
  conflicts: number;
  /** The sum over all calls, parallel ones too. */
  ms: number;
  throttling: Set<string>;
}

interface SessionOptions {
  client: DynamoDBDocumentClient;
  table: string;
  remainingMs: () => number;
  /** How often a call is sent again. Throttled calls are sent again more often, until the deadline. */
  maxResends?: number;
}

type Command = Parameters<DynamoDBDocumentClient["send"]>[0];
/** Sends a command, and ends when the signal aborts. */
type Send<Output> = (options: { abortSignal: AbortSignal }) => Promise<Output>;
type CallResult<Output> = { output: Output } | ({ error: unknown } & WriteDoubt);

const firstPauseMs = 50;
const maxPauseMs = 1000;

export function openSession({
  client,
  table,
  remainingMs,
  maxResends = Number.POSITIVE_INFINITY,
}: SessionOptions): Session {
  const usage: Usage = { calls: 0, sends: 0, conflicts: 0, ms: 0, throttling: new Set() };
  const context = { usage, remainingMs, maxResends };

  const perform: Session["perform"] = async (work) => {
    const ended = await makeCall(context, (options) =>
      work(((command: Command) => client.send(command, options)) as DynamoDBDocumentClient["send"]),
    );
    if ("output" in ended) return ended.output;
    throw toFailure(ended.error);
  };
  const call = (command: Command): Promise<unknown> => perform((sendOnce) => sendOnce(command));

  const write: Session["write"] = async (build) => {
    // `client.send` has no overload for either of two commands.
    const ended = await makeCall(context, (options) => client.send(build() as UpdateCommand, options));
    if ("output" in ended) return { isStored: true };
    const { error, mayBeStored } = ended;
    if (isConditionFailure(error)) return { isStored: false, refusal: error, mayBeStored };
    if (isItemTooLarge(error)) {
      const message = `The stored item would be larger than ${limits.itemBytes / 1024} KiB`;
      throw new ValidationError(message, { cause: error });
    }
    throw mayBeStored ? toUnknownOutcome(error) : toFailure(error);
  };

  return { table, call: call as DynamoDBDocumentClient["send"], perform, write, usage };
}

interface CallContext extends Required<Pick<SessionOptions, "remainingMs" | "maxResends">> {
  usage: Usage;
}

/** Sends until the call succeeds, fails for good or has no time left. */
async function makeCall<Output>(context: CallContext, send: Send<Output>): Promise<CallResult<Output>> {
  const { usage, remainingMs } = context;
  const startedAt = performance.now();
  const endsAt = startedAt + remainingMs() - responseReserveMs;
  if (startedAt + minSendMs >= endsAt) {
    const error = new TemporarilyUnavailable("Timed out before reaching the database");
    return { error, mayBeStored: false };
  }
  usage.calls++;
  const ended = await sendRepeatedly(endsAt, context, send);
  usage.ms += performance.now() - startedAt;
  return ended;
}

async function sendRepeatedly<Output>(
  endsAt: number,
  { usage, maxResends }: CallContext,
  send: Send<Output>,
): Promise<CallResult<Output>> {
  let mayBeStored = false;
  let reportedError: unknown;
  for (let resends = 0; ; resends++) {
    const timeoutMs = Math.min(maxSendMs, endsAt - performance.now());
    const ended = await sendWithTimeout(timeoutMs, usage, send);
    if ("output" in ended) return ended;
    const { error } = ended;
    mayBeStored ||= mayBeStoredAfter(error);
    const isCutShort = timeoutMs < maxSendMs && error instanceof TimeoutError;
    // The error of a send that the deadline has cut short says less than the error of the send before it.
    if (!isCutShort || resends === 0) reportedError = error;
    const pauseMs = Math.random() * Math.min(maxPauseMs, firstPauseMs * 2 ** resends);
    const isLate = isCutShort || performance.now() + pauseMs + minSendMs >= endsAt;
    const isSentAgain = isTransient(error) && (resends < maxResends || isThrottled(error));
    if (isLate || !isSentAgain) return { error: reportedError, mayBeStored };
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}

/** Sends once. */
async function sendWithTimeout<Output>(
  timeoutMs: number,
  usage: Usage,
  send: Send<Output>,
): Promise<{ output: Output } | { error: unknown }> {
  // AbortSignal.timeout would keep the call in memory until it fires, long after the response.
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), timeoutMs);
  usage.sends++;
  try {
    return { output: await send({ abortSignal: late.signal }) };
  } catch (error) {
    if (isConditionFailure(error)) usage.conflicts++;
    for (const reason of throttlingReasons(error)) usage.throttling.add(reason);
    return { error: late.signal.aborted ? new TimeoutError(timeoutMs) : error };
  } finally {
    clearTimeout(timer);
  }
}
