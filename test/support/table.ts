/** Opens sessions on tables of an engine, without a service. */
import { randomUUID } from "node:crypto";
import { type Client, createClient } from "../../lib/store/dynamodb/client.ts";
import { openSession, type Session } from "../../lib/store/dynamodb/session.ts";

/** The environment variables that lead the SDK to this engine. */
export const settingsOf = (endpoint: string) => ({
  AWS_REGION: "eu-central-1",
  AWS_ACCESS_KEY_ID: "local",
  AWS_SECRET_ACCESS_KEY: "local",
  AWS_ENDPOINT_URL_DYNAMODB: endpoint,
});

/** A table of the engine that the environment names; it need not exist. */
export function openTable(table = `burgee-${randomUUID()}`, client: Client = createClient()): Session {
  return openSession({ client, table, remainingMs: () => 60_000 });
}
