/** Stores an API key; one that is there already keeps the time of its creation. */
import { UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { apiKeyKey } from "../../lib/store/items.ts";
import type { Session } from "../../lib/store/session.ts";
import type { NewApiKey } from "./new-items.ts";

export async function putApiKey(
  { table, call }: Session,
  { keyHash, name, permissions, expiresAt, disabled }: NewApiKey,
): Promise<void> {
  const sets = [
    "#name = :name",
    "#permissions = :permissions",
    "disabled = :disabled",
    "createdAt = if_not_exists(createdAt, :now)",
    ...(expiresAt === undefined ? [] : ["expiresAt = :expiresAt"]),
  ];
  const update = new UpdateCommand({
    TableName: table,
    Key: apiKeyKey(keyHash),
    UpdateExpression: `SET ${sets.join()}${expiresAt === undefined ? " REMOVE expiresAt" : ""}`,
    // DynamoDB reserves these words.
    ExpressionAttributeNames: { "#name": "name", "#permissions": "permissions" },
    ExpressionAttributeValues: {
      ":name": name,
      ":permissions": permissions,
      ":disabled": disabled,
      ":now": new Date().toISOString(),
      ...(expiresAt !== undefined && { ":expiresAt": expiresAt }),
    },
  });
  await call((client, options) => client.send(update, options));
}
