/** Deletes an item, if it still exists. */
import { DeleteCommand } from "@aws-sdk/lib-dynamodb";
import { isConditionFailure } from "../../lib/store/failures.ts";
import type { Key } from "../../lib/store/items.ts";
import type { Session } from "../../lib/store/session.ts";

/** A copy that arrives late does not delete an item that was created again since: that has another uid. */
export async function deleteItem(
  { table, send }: Session,
  { pk, sk, uid }: Key & { uid?: string | undefined },
): Promise<void> {
  const isSame = { ConditionExpression: "uid = :uid", ExpressionAttributeValues: { ":uid": uid } };
  const command = new DeleteCommand({ TableName: table, Key: { pk, sk }, ...(uid !== undefined && isSame) });
  try {
    await send(command);
  } catch (error) {
    if (!isConditionFailure(error)) throw error;
  }
}
