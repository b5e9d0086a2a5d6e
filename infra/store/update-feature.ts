/** Updates a stored feature's tags and list of environments. */
import { isDeepStrictEqual } from "node:util";
import { UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { limits } from "../../lib/contract/limits.ts";
import { newId, type Stamp } from "../../lib/features/stores.ts";
import { type FeatureItem, featureKey, parseTagMember, tagMember } from "../../lib/store/items.ts";
import type { Session } from "../../lib/store/session.ts";
import { changeTags } from "../../lib/store/tag-store.ts";
import { concurrentChange, orConflict } from "./or-conflict.ts";
import type { WantedFeature } from "./stored.ts";

export async function updateFeature(
  session: Session,
  before: FeatureItem,
  after: WantedFeature,
  stamp: Stamp,
): Promise<void> {
  await updateTags(session, before, after, stamp);
  const environments = [...after.environments.keys()];
  if (isDeepStrictEqual(before.environments, environments)) return;
  await updateEnvironments(session, before, environments, stamp);
}

async function updateTags(
  session: Session,
  { name: feature, project, tags }: FeatureItem,
  after: WantedFeature,
  stamp: Stamp,
): Promise<void> {
  const wanted = new Map(after.tags.map((tag) => [tagMember(tag), tag]));
  const added = [...wanted].filter(([member]) => !Object.hasOwn(tags, member)).map(([, tag]) => tag);
  const removed = Object.keys(tags).filter((member) => !wanted.has(member));
  const most = limits.tagsPerList;
  for (let from = 0; from < Math.max(added.length, removed.length); from += most) {
    const change = {
      added: added.slice(from, from + most),
      removed: removed.slice(from, from + most).map(parseTagMember),
    };
    // The id of each tag write is the tags' ETag.
    const write = { feature, change, projects: [project], stamp: { ...stamp, id: newId() } };
    const { changed } = await changeTags(session, write);
    if (!changed) throw concurrentChange();
  }
}

async function updateEnvironments(
  { table, send }: Session,
  before: FeatureItem,
  environments: readonly string[],
  stamp: Stamp,
): Promise<void> {
  const isAsRead = hasEnvironments(before.environments);
  // A copy that arrives late, when the environments are again as they were read, changes nothing.
  const isAfterFence = "(attribute_not_exists(fence) OR fence < :sentAt)";
  // The retry after a lost response recognises its own write.
  const isOurs = "changed.id = :id";
  const update = new UpdateCommand({
    TableName: table,
    Key: featureKey(before.name),
    ConditionExpression: `(uid = :uid AND ${isAsRead.condition} AND ${isAfterFence}) OR ${isOurs}`,
    UpdateExpression: "SET environments = :environments, changed = :stamp, fence = :sentAt",
    ExpressionAttributeValues: {
      ...isAsRead.values,
      ":uid": before.uid,
      ":sentAt": Math.max(Date.now(), (before.fence ?? 0) + 1),
      ":id": stamp.id,
      ":environments": environments,
      ":stamp": stamp,
    },
  });
  await orConflict(() => send(update));
}

/**
 * In this order. Not every engine compares lists as a whole. The length of an expression is limited: beyond the first
 * environments, only their number is compared.
 */
function hasEnvironments(environments: readonly string[]) {
  const first = environments.slice(0, 50);
  const isSame = first.map((_, index) => `environments[${index}] = :e${index}`);
  return {
    condition: ["size(environments) = :count", ...isSame].join(" AND "),
    values: {
      ":count": environments.length,
      ...Object.fromEntries(first.map((name, index) => [`:e${index}`, name])),
    },
  };
}
