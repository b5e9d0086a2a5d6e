/** How the SDK repeats calls that were throttled, cut off, or not answered in time. */
import type { DynamoDBClientConfig } from "@aws-sdk/client-dynamodb";

type RetryStrategy = Extract<
  NonNullable<DynamoDBClientConfig["retryStrategy"]>,
  { acquireInitialRetryToken: unknown }
>;

const firstPauseMs = 25;
const longestPauseMs = 1000;

/**
 * With jitter, for as long as the call's abort signal allows. The SDK's own strategy gives up after a few tries, and
 * after many failures at the first, which would waste the time that an invocation still has.
 */
export function createRetryStrategy(jitter = Math.random): RetryStrategy {
  const token = (retries: number) => ({
    getRetryCount: () => retries,
    getRetryDelay: () =>
      retries === 0 ? 0 : jitter() * Math.min(longestPauseMs, firstPauseMs * 2 ** retries),
  });
  return {
    acquireInitialRetryToken: async () => token(0),
    async refreshRetryTokenForRetry(before, { errorType }) {
      if (errorType === "CLIENT_ERROR") throw new Error("it would fail again");
      return token(before.getRetryCount() + 1);
    },
    recordSuccess() {},
  };
}
