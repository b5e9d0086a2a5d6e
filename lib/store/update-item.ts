/** Updates attributes of an item, on the condition that it has the revision that was read. */
import type { ConditionalCheckFailedException } from "@aws-sdk/client-dynamodb";
import { UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { unmarshall } from "@aws-sdk/util-dynamodb";
import type { Revision } from "../features/model.ts";
import type { WriteResult } from "../features/stores.ts";
import type { Session } from "./dynamodb/session.ts";
import type { TableKey } from "./items/items.ts";

interface Update<Item, State> {
  /** The revision that was read. */
  before: Revision;
  /** The attributes that change, the next revision among them. */
  attributes: Readonly<Record<string, unknown>> & Pick<Revision, "revision">;
  toState: (item: Item) => State | undefined;
}

/**
 * Sends the update. If it is sent twice, its condition may fail because of itself: the caller has to look for its
 * write.
 */
export async function updateItem<Item extends TableKey, State>(
  session: Session,
  tableKey: TableKey,
  { before, attributes, toState }: Update<Item, State>,
): Promise<WriteResult<State>> {
  // `attributes` always has `revision`, so `#revision` is defined.
  const revisionIsUnchanged = "#revision = :before";
  // An item that was deleted and created again has another uid.
  const uidIsUnchanged = "uid = :uid";
  const names = Object.keys(attributes);
  const update = new UpdateCommand({
    TableName: session.table,
    Key: tableKey,
    ConditionExpression: [revisionIsUnchanged, uidIsUnchanged].join(" AND "),
    UpdateExpression: `SET ${names.map((name) => `#${name} = :${name}`).join(", ")}`,
    ExpressionAttributeNames: Object.fromEntries(names.map((name) => [`#${name}`, name])),
    ExpressionAttributeValues: {
      ":before": before.revision,
      ":uid": before.uid,
      ...Object.fromEntries(Object.entries(attributes).map(([name, value]) => [`:${name}`, value])),
    },
    ReturnValuesOnConditionCheckFailure: "ALL_OLD",
  });
  const result = await session.write(() => update);
  if (result.isStored) return { isStored: true };
  const { refusal, mayBeStored } = result;
  const item = conflictingItem<Item>(refusal);
  return { isStored: false, mayBeStored, stored: item && toState(item) };
}

/** Returns the item that is stored in place of the one that a write required, if the error has it. */
function conflictingItem<Item extends TableKey>({ Item }: ConditionalCheckFailedException): Item | undefined {
  // The document client does not unmarshall what an error carries.
  return Item && (unmarshall(Item) as Item);
}
