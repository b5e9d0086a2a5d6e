/** Opens the table for a tool, which has no deadline. */
import { setTimeout as pause } from "node:timers/promises";
import { createClient } from "../../lib/store/client.ts";
import { isThrottled } from "../../lib/store/failures.ts";
import { openSession, type Session } from "../../lib/store/session.ts";

const longestPauseMs = 16_000;

/** A new table takes a while to accept thousands of writes a second, so throttled calls are retried for longer. */
/** The access key of the credentials in use: its id, which is no secret. */
export async function readAccessKeyId(): Promise<string> {
  return (await createClient().config.credentials()).accessKeyId;
}

export function openTable(table: string): Session {
  const session = openSession({ client: createClient(), table, remainingMs: () => 2 ** 31 - 1 });
  const send = session.send as (command: unknown) => Promise<unknown>;
  const patientSend = async (command: unknown) => {
    for (let pauseMs = 500; ; pauseMs *= 2) {
      try {
        return await send(command);
      } catch (error) {
        if (!isThrottled((error as Error).cause) || pauseMs > longestPauseMs) throw error;
        await pause(pauseMs);
      }
    }
  };
  return { ...session, send: patientSend as Session["send"] };
}
