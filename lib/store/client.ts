/** The DynamoDB client that every call of a sandbox shares. */
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import { createRetryStrategy } from "./retry.ts";

/**
 * Region, credentials and, for a local engine, AWS_ENDPOINT_URL_DYNAMODB come from the environment, where
 * Lambda puts them.
 */
export function createClient(): DynamoDBDocumentClient {
  const client = new DynamoDBClient({
    retryStrategy: createRetryStrategy(),
    requestHandler: { connectionTimeout: 1000, requestTimeout: 2500, throwOnRequestTimeout: true },
  });
  return DynamoDBDocumentClient.from(client);
}
