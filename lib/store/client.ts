/** Creates and warms up the DynamoDB client. */
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { DynamoDBDocumentClient, GetCommand } from "@aws-sdk/lib-dynamodb";
import { apiKeyTableKey } from "./items.ts";

export type Client = DynamoDBDocumentClient;

/**
 * Region, credentials and, for a local engine, AWS_ENDPOINT_URL_DYNAMODB come from the environment, where Lambda puts
 * them; in the bundles by runtime-config.ts. It makes one attempt, as the session retries: that knows the deadline, and a
 * retried write may need another command.
 */
export function createClient(): Client {
  return DynamoDBDocumentClient.from(new DynamoDBClient({ maxAttempts: 1, retryMode: "standard" }));
}

/** How long the first request waits for the warm-up at most. */
const warmUpMs = 150;

/**
 * Makes one call while the sandbox starts, when Lambda provides a whole processor: it runs the SDK's code, and opens the
 * connection that the first request uses. Without it a caller waits 10 % longer for a cold start of the tags function.
 * Ignores failures: one that lasts is reported by the first request.
 */
export async function warmUp(client: Client, table: string): Promise<void> {
  const readOfNoItem = new GetCommand({ TableName: table, Key: apiKeyTableKey("") });
  await client.send(readOfNoItem, { abortSignal: AbortSignal.timeout(warmUpMs) }).catch(() => {});
}
