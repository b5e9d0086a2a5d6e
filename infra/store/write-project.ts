/** Creates, updates and deletes projects. Each write is conditional on the environments that were read. */
import { isDeepStrictEqual } from "node:util";
import { DeleteCommand, PutCommand } from "@aws-sdk/lib-dynamodb";
import { isConditionFailure } from "../../lib/store/failures.ts";
import { getItem } from "../../lib/store/get-item.ts";
import { type ProjectItem, projectKey } from "../../lib/store/items.ts";
import type { Session } from "../../lib/store/session.ts";
import { hasEnvironments } from "./has-environments.ts";
import { projectItem } from "./new-items.ts";
import { concurrentChange } from "./or-conflict.ts";

type Environments = readonly string[] | undefined;

/** Created without `before`, deleted without `after`. */
export async function writeProject(
  session: Session,
  id: string,
  { before, after }: { before: Environments; after: Environments },
): Promise<void> {
  const isAsRead = before && hasEnvironments(before);
  const conditional = {
    TableName: session.table,
    ConditionExpression: isAsRead?.condition ?? "attribute_not_exists(pk)",
    ExpressionAttributeValues: isAsRead?.values,
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
    // The SDK retries a write whose response was lost, and its first attempt may have succeeded.
    const current = await getItem<ProjectItem>(session, projectKey(id));
    if (!isDeepStrictEqual(current?.environments, after)) throw concurrentChange();
  }
}
