/** A change of a feature's tags in one atomic update, without a read. */
import { UpdateCommand } from "@aws-sdk/lib-dynamodb";
import type { Projects } from "../access/caller.ts";
import type { Tag } from "../contract/tags.ts";
import type { Stamp, TagResult } from "../features/feature-store.ts";
import type { TagChange } from "../features/tag-change.ts";
import { isConditionFailure, isItemTooLarge } from "./failures.ts";
import { freshItem } from "./fresh-item.ts";
import { getItem } from "./get-item.ts";
import { type FeatureItem, featureKey, isStorableName, tagMember } from "./items.ts";
import { toTags } from "./read-tags.ts";
import type { Session } from "./session.ts";
import { tagsTooLarge } from "./too-large.ts";

/** Setting and removing members of a map come to the same however often they are repeated. */
export async function changeTags(
  session: Session,
  feature: string,
  change: TagChange,
  projects: Projects,
  stamp: Stamp,
): Promise<TagResult | undefined> {
  if (!isStorableName(feature)) return undefined;
  const isEmpty = change.added.length === 0 && change.removed.length === 0;
  if (isEmpty) return toResult(await getItem<FeatureItem>(session, featureKey(feature)), projects);
  try {
    return toResult(await updateItem(session, feature, change, projects, stamp), projects);
  } catch (error) {
    if (isItemTooLarge(error)) throw tagsTooLarge(feature, error);
    if (!isConditionFailure(error)) throw error;
    const item = await freshItem<FeatureItem>(session, error, featureKey(feature));
    // Without the item in the failure it was read later, and may have come to be permitted since: try again.
    const refused = toResult(item, projects);
    return refused?.tags ? changeTags(session, feature, change, projects, stamp) : refused;
  }
}

async function updateItem(
  { table, call }: Session,
  feature: string,
  { added, removed }: TagChange,
  projects: Projects,
  stamp: Stamp,
): Promise<FeatureItem> {
  const sets = ["changed = :stamp", ...added.map((_, index) => `tags.#a${index} = :true`)];
  const removes = removed.map((_, index) => `tags.#r${index}`);
  const exists = "attribute_exists(pk)";
  // DynamoDB reserves the word "project".
  const isInProjects =
    projects === "all" ? [] : [`#project IN (${projects.map((_, index) => `:p${index}`).join()})`];
  const update = new UpdateCommand({
    TableName: table,
    Key: featureKey(feature),
    ConditionExpression: [exists, ...isInProjects].join(" AND "),
    UpdateExpression: `SET ${sets.join()}${removes.length > 0 ? ` REMOVE ${removes.join()}` : ""}`,
    ExpressionAttributeNames: {
      ...members("#a", added),
      ...members("#r", removed),
      ...(projects !== "all" && { "#project": "project" }),
    },
    ExpressionAttributeValues: {
      ":stamp": stamp,
      ...(added.length > 0 && { ":true": true }),
      ...(projects !== "all" &&
        Object.fromEntries(projects.map((project, index) => [`:p${index}`, project]))),
    },
    ReturnValues: "ALL_NEW",
    ReturnValuesOnConditionCheckFailure: "ALL_OLD",
  });
  const { Attributes } = await call((client, options) => client.send(update, options));
  return Attributes as FeatureItem;
}

function toResult(item: FeatureItem | undefined, projects: Projects): TagResult | undefined {
  if (!item) return undefined;
  return isPermitted(item, projects) ? toTags(item) : { project: item.project };
}

export function isPermitted({ project }: FeatureItem, projects: Projects): boolean {
  return projects === "all" || projects.includes(project);
}

function members(prefix: string, tags: readonly Tag[]): Record<string, string> {
  return Object.fromEntries(tags.map((tag, index) => [`${prefix}${index}`, tagMember(tag)]));
}
