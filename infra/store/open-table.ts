/** The table for a tool that takes the time it needs: no invocation ends it. */
import { setTimeout as pause } from "node:timers/promises";
import { createClient } from "../../lib/store/client.ts";
import { isThrottled, toFailure } from "../../lib/store/failures.ts";
import type { Session } from "../../lib/store/session.ts";

const longestPauseMs = 16_000;

/** A table that is new takes thousands of writes only after a while: beyond the SDK's own patience it is waited for. */
export function openTable(table: string): Session {
  const client = createClient();
  return {
    table,
    async call(send) {
      for (let pauseMs = 500; ; pauseMs *= 2) {
        try {
          return await send(client, { abortSignal: new AbortController().signal });
        } catch (error) {
          if (!isThrottled(error) || pauseMs > longestPauseMs) throw toFailure(error);
          await pause(pauseMs);
        }
      }
    },
  };
}
