/**
 * Creates, updates and deletes projects. Each write is conditional on the item that was read, and gives it another uid:
 * environments can become again what they were, and then a copy of an earlier write that arrives late changes nothing.
 */
import { isDeepStrictEqual } from "node:util";
import { DeleteCommand, PutCommand } from "@aws-sdk/lib-dynamodb";
import { isConditionFailure } from "../../lib/store/failures.ts";
import { type ProjectItem, projectKey } from "../../lib/store/items.ts";
import { getItem } from "../../lib/store/read-items.ts";
import type { Session } from "../../lib/store/session.ts";
import { hasEnvironments, hasUid } from "./conditions.ts";
import { projectItem } from "./new-items.ts";
import { concurrentChange } from "./or-conflict.ts";

interface Write {
  before?: readonly string[] | undefined;
  after?: readonly string[] | undefined;
  stored?: ProjectItem | undefined;
}

/** Created without `before`, deleted without `after`. */
export async function writeProject(
  session: Session,
  id: string,
  { before, after, stored }: Write,
): Promise<void> {
  const isAsRead = before && hasEnvironments(before);
  const isSame = hasUid(stored?.uid);
  const conditional = {
    TableName: session.table,
    ConditionExpression: isAsRead
      ? `${isAsRead.condition} AND ${isSame.condition}`
      : "attribute_not_exists(pk)",
    ExpressionAttributeValues: isAsRead && { ...isAsRead.values, ...isSame.values },
  };
  try {
    if (after) {
      const Item = projectItem({ id, environments: [...after] });
      await session.send(new PutCommand({ ...conditional, Item }));
    } else {
      await session.send(new DeleteCommand({ ...conditional, Key: projectKey(id) }));
    }
  } catch (error) {
    if (!isConditionFailure(error)) throw error;
    // A write whose response was lost is retried, and its first attempt may have succeeded.
    const current = await getItem<ProjectItem>(session, projectKey(id));
    if (!isDeepStrictEqual(current?.environments, after)) throw concurrentChange();
  }
}
