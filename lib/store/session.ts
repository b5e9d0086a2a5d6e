/** One invocation's use of the table: each call ends before the invocation's time does, and is counted for the log. */
import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import type { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import { TemporarilyUnavailable } from "../contract/errors.ts";
import { isConditionFailure, isThrottled, toFailure } from "./failures.ts";

export interface Session {
  table: string;
  send: DynamoDBDocumentClient["send"];
  usage: Usage;
}

interface Options {
  client: DynamoDBDocumentClient;
  table: string;
  remainingMs: () => number;
}

/** Reserved for the response. */
const marginMs = 300;

type SendCommand = (command: Parameters<DynamoDBDocumentClient["send"]>[0]) => Promise<unknown>;

export function openSession({ client, table, remainingMs }: Options): Session {
  const usage: Usage = { calls: 0, attempts: 0, conflicts: 0, ms: 0, throttling: new Set() };
  let open = 0;
  let openedAt = 0;
  const send: SendCommand = async (command) => {
    const ms = Math.floor(remainingMs() - marginMs);
    if (ms <= 0) throw new TemporarilyUnavailable("Timed out before reaching the database");
    // AbortSignal.timeout would keep the whole call in memory until that time, long after its response.
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(), ms);
    const call: Call = { usage };
    calls.set(late.signal, call);
    usage.calls++;
    if (open++ === 0) openedAt = performance.now();
    try {
      return await client.send(command, { abortSignal: late.signal });
    } catch (error) {
      throw toFailure(error, call.failure);
    } finally {
      clearTimeout(timer);
      if (--open === 0) usage.ms += performance.now() - openedAt;
    }
  };
  return { table, send: send as DynamoDBDocumentClient["send"], usage };
}

/** What an invocation does at the table, for its log line. */
export interface Usage {
  /** Each counted once, however often the SDK retried it. */
  calls: number;
  attempts: number;
  /** Conditional writes that were refused. */
  conflicts: number;
  /** Time during which at least one call was open. */
  ms: number;
  /** Why attempts were throttled, in DynamoDB's words. */
  throttling: Set<string>;
}

interface Call {
  usage: Usage;
  /** Of the last attempt that failed before the deadline. */
  failure?: unknown;
}

/** By the signal of a call, which is all that the SDK passes on to its attempts. */
const calls = new WeakMap<AbortSignal, Call>();

/**
 * Sees each attempt on its own: a deadline between two attempts ends the call with an AbortError, which knows neither
 * how many there were nor how they failed.
 */
export function observeAttempts(client: DynamoDBClient): void {
  client.middlewareStack.add(
    (next, context) => async (args) => {
      const signal = context.__smithy_context?.abortSignal as AbortSignal;
      const call = calls.get(signal);
      if (!call) return next(args);
      const { usage } = call;
      usage.attempts++;
      try {
        return await next(args);
      } catch (error) {
        if (!signal.aborted) call.failure = error;
        if (isConditionFailure(error)) usage.conflicts++;
        if (isThrottled(error)) for (const reason of reasonsOf(error)) usage.throttling.add(reason);
        throw error;
      }
    },
    { step: "deserialize", priority: "high" },
  );
}

interface ThrottlingError extends Error {
  ThrottlingReasons?: { reason?: string }[];
  /** As ThrottlingException has it. */
  throttlingReasons?: { reason?: string }[];
}

function reasonsOf(error: ThrottlingError): string[] {
  const reasons = error.ThrottlingReasons ?? error.throttlingReasons ?? [{}];
  return reasons.map(({ reason = error.name }) => reason);
}
