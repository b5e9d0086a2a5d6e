/** Creates and warms up the DynamoDB client. */
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { DynamoDBDocumentClient, GetCommand } from "@aws-sdk/lib-dynamodb";
import { apiKeyTableKey } from "../items/items.ts";

export type Client = DynamoDBDocumentClient;

/**
 * Environment variables configure the client, in the bundles by runtime-config.ts. The client sends a call once: the
 * session, which knows the deadline, sends it again, perhaps with another command.
 */
export function createClient(): Client {
  return DynamoDBDocumentClient.from(new DynamoDBClient({ maxAttempts: 1, retryMode: "standard" }));
}

const warmUpMs = 150;

/**
 * Runs the SDK's code and opens a connection while the sandbox starts, when Lambda provides a whole processor. The first
 * request then takes less time, and reports a failure that lasts.
 */
export async function warmUp(client: Client, table: string): Promise<void> {
  const readOfNoItem = new GetCommand({ TableName: table, Key: apiKeyTableKey("") });
  await client.send(readOfNoItem, { abortSignal: AbortSignal.timeout(warmUpMs) }).catch(() => {});
}
