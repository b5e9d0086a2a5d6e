/** The DynamoDB client that all calls of a sandbox share, and how it retries them. */
import { DynamoDBClient, type DynamoDBClientConfig } from "@aws-sdk/client-dynamodb";
import { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import { itemProtocol } from "./protocol.ts";
import { observeAttempts } from "./session.ts";
import type { EarlyAgent } from "./warm-up.ts";

export type RetryStrategy = Extract<
  NonNullable<DynamoDBClientConfig["retryStrategy"]>,
  { acquireInitialRetryToken: unknown }
>;

/** The wait for a response to begin, and for each part of it. */
const attemptMs = 2500;
const firstPauseMs = 25;
const longestPauseMs = 1000;

/**
 * Region, credentials and, for a local engine, AWS_ENDPOINT_URL_DYNAMODB come from the environment, where
 * Lambda puts them.
 */
export function createClient({
  agent,
  retryStrategy = createRetryStrategy(),
}: {
  agent?: EarlyAgent;
  retryStrategy?: RetryStrategy;
} = {}): DynamoDBDocumentClient {
  const client = new DynamoDBClient({
    protocol: itemProtocol,
    retryStrategy,
    requestHandler: {
      connectionTimeout: 1000,
      requestTimeout: attemptMs,
      socketTimeout: attemptMs,
      throwOnRequestTimeout: true,
      ...(agent && { httpsAgent: agent }),
    },
  });
  observeAttempts(client);
  return DynamoDBDocumentClient.from(client);
}

/**
 * Retries throttled, interrupted and late calls, with jitter, for as long as the call's abort signal allows. The SDK's
 * own strategy gives up after a few attempts, and after many failures at the first, which would waste the time that an
 * invocation still has.
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
      if (errorType === "CLIENT_ERROR") throw new Error("A client error is not retried");
      return token(before.getRetryCount() + 1);
    },
    recordSuccess() {},
  };
}
