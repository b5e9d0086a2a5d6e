/** The table for a tool that takes the time it needs: no invocation ends it. */
import { createClient } from "./client.ts";
import { toFailure } from "./failures.ts";
import type { Session } from "./session.ts";

export function openTable(table: string): Session {
  const client = createClient();
  return {
    table,
    async call(send) {
      try {
        return await send(client, { abortSignal: new AbortController().signal });
      } catch (error) {
        throw toFailure(error);
      }
    },
  };
}
