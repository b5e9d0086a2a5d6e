/** Brings a stored feature's tags, project and list of environments to what they shall be. */
import { isDeepStrictEqual } from "node:util";
import { UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { ConflictError } from "../../lib/contract/errors.ts";
import { limits } from "../../lib/contract/limits.ts";
import type { Stamp } from "../../lib/features/feature-store.ts";
import { changeTags } from "../../lib/store/change-tags.ts";
import { type FeatureItem, featureKey, parseTagMember, tagMember } from "../../lib/store/items.ts";
import type { Session } from "../../lib/store/session.ts";
import { orConflict } from "./or-conflict.ts";
import type { WholeFeature } from "./stored.ts";

export async function updateFeature(
  session: Session,
  before: FeatureItem,
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
    const result = await changeTags(session, after.name, change, "all", stamp);
    if (!result) throw new ConflictError("it was removed meanwhile; run the command again");
  }
  const environments = [...after.environments.keys()];
  const stays = before.project === after.project && isDeepStrictEqual(before.environments, environments);
  if (!stays) await moveFeature(session, before, { project: after.project, environments }, stamp);
}

async function moveFeature(
  { table, call }: Session,
  before: FeatureItem,
  { project, environments }: Pick<FeatureItem, "project" | "environments">,
  stamp: Stamp,
): Promise<void> {
  // Not every engine compares lists as a whole, and nobody has so many environments that they fill an expression.
  const had = before.environments.slice(0, 50);
  const isAsRead = [
    "#project = :wasIn",
    "size(environments) = :count",
    ...had.map((_, index) => `environments[${index}] = :e${index}`),
  ];
  // A write whose answer was lost is repeated by the SDK, and finds itself.
  const isOurs = "changed.id = :id";
  const update = new UpdateCommand({
    TableName: table,
    Key: featureKey(before.name),
    ConditionExpression: `(${isAsRead.join(" AND ")}) OR ${isOurs}`,
    UpdateExpression: "SET #project = :project, environments = :environments, changed = :stamp",
    ExpressionAttributeNames: { "#project": "project" },
    ExpressionAttributeValues: {
      ...Object.fromEntries(had.map((environment, index) => [`:e${index}`, environment])),
      ":wasIn": before.project,
      ":count": before.environments.length,
      ":id": stamp.id,
      ":project": project,
      ":environments": environments,
      ":stamp": stamp,
    },
  });
  await orConflict(() => call((client, options) => client.send(update, options)));
}
