/** Opens the table for a tool, whose calls have no invocation's deadline. */
import { createClient, createRetryStrategy, type RetryStrategy } from "../../lib/store/client.ts";
import { openSession, type Session } from "../../lib/store/session.ts";

const deadlineMs = 60_000;

/** A new table takes a while to accept thousands of writes a second: this is about 50 seconds. */
const retriesOfThrottled = 100;
/** A few seconds, where the host is not found or refuses the connection. */
const retries = 10;

/** The access key of the credentials in use: its id, which is no secret. */
export async function readAccessKeyId(): Promise<string> {
  return (await createClient().config.credentials()).accessKeyId;
}

export function openTable(table: string): Session {
  const client = createClient({ retryStrategy: createLimitedStrategy() });
  return openSession({ client, table, remainingMs: () => deadlineMs });
}

/** Gives up before the deadline, so that the call fails with its last error, which names the cause. */
function createLimitedStrategy(): RetryStrategy {
  const unlimited = createRetryStrategy();
  return {
    ...unlimited,
    async refreshRetryTokenForRetry(token, failure) {
      const most = failure.errorType === "THROTTLING" ? retriesOfThrottled : retries;
      if (token.getRetryCount() >= most) throw new Error("Too many attempts");
      return unlimited.refreshRetryTokenForRetry(token, failure);
    },
  };
}
