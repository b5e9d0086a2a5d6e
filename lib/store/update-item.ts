/** Updates an item on a condition: the only way in which the functions write what they have read. */
import { UpdateCommand } from "@aws-sdk/lib-dynamodb";
import type { WriteResult } from "../features/stores.ts";
import { isConditionFailure } from "./failures.ts";
import type { TableKey } from "./items.ts";
import { failedItem } from "./read-items.ts";
import type { Session } from "./session.ts";

interface Update<Item, State> {
  condition: string;
  /** Of the condition. */
  values: Readonly<Record<string, unknown>>;
  attributes: Readonly<Record<string, unknown>>;
  toState: (item: Item) => State;
}

/** After a lost response the condition may fail because of this very write: the caller looks it up. */
export async function updateItem<Item extends TableKey, State>(
  session: Session,
  tableKey: TableKey,
  { condition, values, attributes, toState }: Update<Item, State>,
): Promise<WriteResult<State>> {
  const names = Object.keys(attributes);
  const update = new UpdateCommand({
    TableName: session.table,
    Key: tableKey,
    ConditionExpression: condition,
    UpdateExpression: `SET ${names.map((name) => `#${name} = :${name}`).join(", ")}`,
    ExpressionAttributeNames: Object.fromEntries(names.map((name) => [`#${name}`, name])),
    ExpressionAttributeValues: {
      ...values,
      ...Object.fromEntries(Object.entries(attributes).map(([name, value]) => [`:${name}`, value])),
    },
    ReturnValuesOnConditionCheckFailure: "ALL_OLD",
  });
  const result = await session.write(() => update);
  if (result.isStored) return { written: true };
  const { refusal, mayBeStored } = result;
  if (!isConditionFailure(refusal)) throw refusal;
  const item = failedItem<Item>(refusal);
  return { written: false, responseWasLost: mayBeStored, current: item && toState(item) };
}
