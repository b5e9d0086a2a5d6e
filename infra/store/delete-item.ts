/** Deletes an item, if it still exists. */
import { DeleteCommand } from "@aws-sdk/lib-dynamodb";
import { isConditionFailure } from "../../lib/store/failures.ts";
import type { Key } from "../../lib/store/items.ts";
import type { Session } from "../../lib/store/session.ts";
import { hasUid } from "./conditions.ts";

/** A retry that arrives late does not delete an item that was created again since: that has another uid, or its first. */
export async function deleteItem(
  { table, send }: Session,
  { pk, sk, uid }: Key & { uid?: string | undefined },
): Promise<void> {
  const isSame = hasUid(uid);
  const command = new DeleteCommand({
    TableName: table,
    Key: { pk, sk },
    ConditionExpression: isSame.condition,
    ExpressionAttributeValues: isSame.values,
  });
  try {
    await send(command);
  } catch (error) {
    if (!isConditionFailure(error)) throw error;
  }
}
