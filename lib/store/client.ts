/** The DynamoDB client that all calls of a sandbox share. */
import { DynamoDBClient, type DynamoDBClientConfig } from "@aws-sdk/client-dynamodb";
import { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import { itemProtocol } from "./protocol.ts";
import type { EarlyAgent } from "./warm-up.ts";

type RetryStrategy = Extract<
  NonNullable<DynamoDBClientConfig["retryStrategy"]>,
  { acquireInitialRetryToken: unknown }
>;

/**
 * Region, credentials and, for a local engine, AWS_ENDPOINT_URL_DYNAMODB come from the environment, where
 * Lambda puts them. The session limits the time of each attempt.
 */
export function createClient({ agent }: { agent?: EarlyAgent } = {}): DynamoDBDocumentClient {
  const requestHandler = agent && { httpsAgent: agent };
  const client = new DynamoDBClient({
    protocol: itemProtocol,
    retryStrategy: oneAttempt,
    ...(requestHandler && { requestHandler }),
  });
  return DynamoDBDocumentClient.from(client);
}

/** The session retries: it knows the deadline, and what a retry of a write has to say. */
const oneAttempt: RetryStrategy = {
  acquireInitialRetryToken: async () => ({ getRetryCount: () => 0, getRetryDelay: () => 0 }),
  refreshRetryTokenForRetry: async () => {
    throw new Error("The SDK makes one attempt");
  },
  recordSuccess() {},
};
