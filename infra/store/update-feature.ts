/** Updates a stored feature's tags, project and list of environments to a target. */
import { isDeepStrictEqual } from "node:util";
import { UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { limits } from "../../lib/contract/limits.ts";
import { newId, type Stamp } from "../../lib/features/stores.ts";
import {
  type EnvironmentItem,
  environmentKey,
  type FeatureItem,
  featureKey,
  parseTagMember,
  tagMember,
} from "../../lib/store/items.ts";
import type { Session } from "../../lib/store/session.ts";
import { changeTags } from "../../lib/store/tag-store.ts";
import { hasEnvironments, hasUid } from "./conditions.ts";
import { concurrentChange, orConflict } from "./or-conflict.ts";
import type { StoredFeature, WholeFeature } from "./stored.ts";

export async function updateFeature(
  session: Session,
  { item: before, environments: items }: Required<StoredFeature>,
  after: WholeFeature,
  stamp: Stamp,
): Promise<void> {
  const wanted = new Map(after.tags.map((tag) => [tagMember(tag), tag]));
  const added = [...wanted].filter(([member]) => !Object.hasOwn(before.tags, member)).map(([, tag]) => tag);
  const removed = Object.keys(before.tags).filter((member) => !wanted.has(member));
  const most = limits.tagsPerList;
  for (let from = 0; from < Math.max(added.length, removed.length); from += most) {
    const change = {
      added: added.slice(from, from + most),
      removed: removed.slice(from, from + most).map(parseTagMember),
    };
    // The id of each tag write is the tags' ETag; updateItem recognises its own write by that of `stamp`.
    const ofChange = { ...stamp, id: newId() };
    const { name: feature, project } = before;
    const write = { feature, change, projects: [project], stamp: ofChange };
    const { changed } = await changeTags(session, write);
    if (!changed) throw concurrentChange();
  }
  const environments = [...after.environments.keys()];
  const isMoving = before.project !== after.project;
  // Leftover items of an earlier feature are not listed: they have been replaced.
  const listed = new Map(before.environments.map((environment) => [environment, items.get(environment)]));
  for (const environment of isMoving ? environments : []) {
    const item = listed.get(environment);
    // Items of the first release name no project. They get the old one first, so that an interrupted move is detected.
    if (item && item.project === undefined)
      listed.set(environment, await moveEnvironment(session, before, item));
  }
  if (isMoving || !isDeepStrictEqual(before.environments, environments)) {
    await updateItem(session, before, { project: after.project, environments }, stamp);
  }
  for (const environment of environments) {
    const item = listed.get(environment);
    const isBehind = isUnfinishedMove(item, after.project);
    // A new environment was created in the new project.
    if (item && (isMoving || isBehind)) await moveEnvironment(session, after, item);
  }
}

/** Whether a move was interrupted before it reached this environment. */
export function isUnfinishedMove(item: EnvironmentItem | undefined, project: string): boolean {
  return item?.project !== undefined && item.project !== project;
}

/**
 * Returns the item with its new project and uid. The new uid fails writes that began in the old project. Without
 * `changed.feature` the move is not sent as an event.
 */
async function moveEnvironment(
  { table, send }: Session,
  { name, project }: Pick<FeatureItem, "name" | "project">,
  item: EnvironmentItem,
): Promise<EnvironmentItem> {
  // DynamoDB refuses to remove a member of an attribute that is not there, as in items of the first release.
  const hasChanged = item.changed !== undefined;
  const uid = newId();
  // A copy that arrives late does not undo a later move. A request may have given the item its first uid since.
  const isAsRead =
    item.uid === undefined ? "attribute_not_exists(uid) OR attribute_exists(uidSince)" : "uid = :read";
  // The retry after a lost response recognises its own write.
  const isOurs = "uid = :uid";
  const update = new UpdateCommand({
    TableName: table,
    Key: environmentKey(name, item.environment),
    ConditionExpression: `attribute_exists(pk) AND (${isAsRead} OR ${isOurs})`,
    // Of the item as it is now: a request may have given a uid to an item of the first release since it was read.
    UpdateExpression: `SET #project = :project, uid = :uid, bornUid = if_not_exists(bornUid, if_not_exists(uid, :uid)) REMOVE uidSince${hasChanged ? ", changed.feature" : ""}`,
    // DynamoDB reserves the word "project".
    ExpressionAttributeNames: { "#project": "project" },
    ExpressionAttributeValues: {
      ":project": project,
      ":uid": uid,
      ...(item.uid !== undefined && { ":read": item.uid }),
    },
  });
  await orConflict(() => send(update));
  return { ...item, project, uid };
}

async function updateItem(
  { table, send }: Session,
  before: FeatureItem,
  { project, environments }: Pick<FeatureItem, "project" | "environments">,
  stamp: Stamp,
): Promise<void> {
  const isAsRead = hasEnvironments(before.environments);
  const isSame = hasUid(before.uid);
  // A copy that arrives after a move back would find the project and the environments as they were read.
  const isAfterFence = "(attribute_not_exists(fence) OR fence < :sentAt)";
  // The retry after a lost response recognises its own write.
  const isOurs = "changed.id = :id";
  const update = new UpdateCommand({
    TableName: table,
    Key: featureKey(before.name),
    ConditionExpression: `(#project = :wasIn AND ${isAsRead.condition} AND ${isSame.condition} AND ${isAfterFence}) OR ${isOurs}`,
    UpdateExpression:
      "SET #project = :project, environments = :environments, changed = :stamp, fence = :sentAt",
    ExpressionAttributeNames: { "#project": "project" },
    ExpressionAttributeValues: {
      ...isAsRead.values,
      ...isSame.values,
      ":wasIn": before.project,
      ":sentAt": Math.max(Date.now(), (before.fence ?? 0) + 1),
      ":id": stamp.id,
      ":project": project,
      ":environments": environments,
      ":stamp": stamp,
    },
  });
  await orConflict(() => send(update));
}
