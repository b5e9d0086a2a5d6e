/** One invocation's use of the table: each call ends before the invocation's time does. */
import type { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import { TemporarilyUnavailable } from "../contract/errors.ts";
import { toFailure } from "./failures.ts";

export interface Session {
  table: string;
  call<Output>(
    send: (client: DynamoDBDocumentClient, options: { abortSignal: AbortSignal }) => Promise<Output>,
  ): Promise<Output>;
}

interface Options {
  client: DynamoDBDocumentClient;
  table: string;
  remainingMs: () => number;
  /** Kept back for the answer. */
  marginMs?: number;
}

export function openSession({ client, table, remainingMs, marginMs = 300 }: Options): Session {
  return {
    table,
    async call(send) {
      const ms = Math.floor(remainingMs() - marginMs);
      if (ms <= 0) throw new TemporarilyUnavailable("no time was left to ask the database");
      // AbortSignal.timeout would keep all of the call in memory until that time, though the answer came long before.
      const late = new AbortController();
      const timer = setTimeout(() => late.abort(), ms);
      try {
        return await send(client, { abortSignal: late.signal });
      } catch (error) {
        throw toFailure(error);
      } finally {
        clearTimeout(timer);
      }
    },
  };
}
