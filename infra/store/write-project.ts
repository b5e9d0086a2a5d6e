/** Creates, updates and deletes projects. Each write gives the item another uid, so a copy that arrives late changes nothing. */
import { DeleteCommand, PutCommand } from "@aws-sdk/lib-dynamodb";
import { isConditionFailure } from "../../lib/store/failures.ts";
import { type ProjectItem, projectKey } from "../../lib/store/items.ts";
import { getItem } from "../../lib/store/read-items.ts";
import type { Session } from "../../lib/store/session.ts";
import { isAsRead } from "./conditions.ts";
import { projectItem } from "./new-items.ts";
import { concurrentChange } from "./or-conflict.ts";

/** Created where nothing is stored, deleted without environments. */
export async function writeProject(
  session: Session,
  id: string,
  { stored, environments }: { stored: ProjectItem | undefined; environments: readonly string[] | undefined },
): Promise<void> {
  const item = environments && projectItem({ id, environments: [...environments] });
  const conditional = { TableName: session.table, ...isAsRead(stored) };
  try {
    if (item) await session.send(new PutCommand({ ...conditional, Item: item }));
    else await session.send(new DeleteCommand({ ...conditional, Key: projectKey(id) }));
  } catch (error) {
    if (!isConditionFailure(error)) throw error;
    // After a lost response the retry finds what the first attempt wrote.
    const current = await getItem<ProjectItem>(session, projectKey(id));
    if (current?.uid !== item?.uid) throw concurrentChange();
  }
}
