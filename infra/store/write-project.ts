/** Creates, updates and deletes projects. */
import { type ProjectItem, projectKey } from "../../lib/store/items.ts";
import type { Session } from "../../lib/store/session.ts";
import { projectItem } from "./new-items.ts";
import { removeItem, replaceItem } from "./replace-item.ts";

/** Created where nothing is stored, deleted without environments. */
export async function writeProject(
  session: Session,
  id: string,
  { stored, environments }: { stored: ProjectItem | undefined; environments: readonly string[] | undefined },
): Promise<void> {
  if (environments) await replaceItem(session, stored, projectItem({ id, environments: [...environments] }));
  else await removeItem(session, stored ?? projectKey(id));
}
