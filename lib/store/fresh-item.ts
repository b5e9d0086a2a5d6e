/** The item that stood in the way of a conditional write. */
import type { ConditionalCheckFailedException } from "@aws-sdk/client-dynamodb";
import { unmarshall } from "@aws-sdk/util-dynamodb";
import { getItem } from "./get-item.ts";
import type { Key } from "./items.ts";
import type { Session } from "./session.ts";

/** Not every engine returns the item with the failure, and none does when there is no item: then it is read. */
export async function freshItem<Item extends Key>(
  session: Session,
  failure: ConditionalCheckFailedException,
  key: Key,
): Promise<Item | undefined> {
  // The document client unmarshalls answers, but not what an error carries.
  return failure.Item ? (unmarshall(failure.Item) as Item) : getItem<Item>(session, key);
}
