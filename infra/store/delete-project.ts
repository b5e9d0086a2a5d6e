/** Deletes a project. */
import type { Stamp } from "../../lib/features/stamp.ts";
import { projectDeletionItem } from "../../lib/store/deletion-items.ts";
import { putItems } from "../../lib/store/dynamodb/batches.ts";
import type { Session } from "../../lib/store/dynamodb/session.ts";
import type { ProjectItem } from "../../lib/store/items/items.ts";
import { removeItem } from "../../lib/store/replace-item.ts";

/** Stores the deletion first. `history` lists it once the project is gone. */
export async function deleteProject(session: Session, stored: ProjectItem, stamp: Stamp): Promise<void> {
  await putItems(session, [projectDeletionItem(stored, stamp)]);
  await removeItem(session, stored);
}
