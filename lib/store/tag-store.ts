/** The store of tags: reads them, and changes them in one atomic update without a read. */
import { UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { ConflictError, ValidationError } from "../contract/errors.ts";
import { storedBytes } from "../contract/item-size.ts";
import { limits } from "../contract/limits.ts";
import type { Tag } from "../contract/tags.ts";
import type { StoredTags, TagResult, TagStore, TagWrite } from "../features/stores.ts";
import { isConditionFailure, isItemTooLarge, withUnknownOutcome } from "./failures.ts";
import { type Attempts, nextSentAt, setFenceOnRetry } from "./fence.ts";
import { type FeatureItem, featureKey, isStorableName, parseTagMember, tagMember } from "./items.ts";
import { currentItem, getItem } from "./read-items.ts";
import type { Session } from "./session.ts";

export function createTagStore(session: Session): TagStore {
  return {
    readTags: (feature) => readTags(session, feature),
    changeTags: (write) => changeTags(session, write),
    requireRoomForTags,
  };
}

/** The ETag of tags whose item records no change yet. */
const initialEtag = "0";

async function readTags(session: Session, feature: string): Promise<StoredTags | undefined> {
  if (!isStorableName(feature)) return undefined;
  const item = await getItem<FeatureItem>(session, featureKey(feature));
  return item && toStoredTags(item);
}

export async function changeTags(session: Session, write: TagWrite): Promise<TagResult> {
  const { feature } = write;
  if (!isStorableName(feature)) return { changed: false };
  const attempts: Attempts = { sentAt: 0, mayBeStored: false };
  for (;;) {
    const update = updateOf(session.table, write, nextSentAt(attempts));
    setFenceOnRetry(update, attempts);
    try {
      const { Attributes } = await session.send(update);
      return { changed: true, stored: toStoredTags(Attributes as FeatureItem) };
    } catch (error) {
      const orUnknown = (failure: unknown) =>
        attempts.mayBeStored ? withUnknownOutcome(failure, { wasRetried: true }) : failure;
      if (isItemTooLarge(error)) throw attempts.mayBeStored ? unknownOutcome() : tooLarge(feature, error);
      if (!isConditionFailure(error)) throw orUnknown(error);
      const item = await currentItem<FeatureItem>(session, error, featureKey(feature)).catch((failure) => {
        throw orUnknown(failure);
      });
      // Another request's fence is ahead of this clock, as clocks of sandboxes differ: try again with a later time.
      if (item?.fence !== undefined && item.fence >= attempts.sentAt) {
        attempts.sentAt = item.fence;
        continue;
      }
      // An earlier attempt may have been stored, and then followed by another change.
      if (attempts.mayBeStored) throw unknownOutcome();
      return { changed: false, ...(item && { current: toStoredTags(item) }) };
    }
  }
}

/** Refuses in a dry run what DynamoDB would refuse in the write. */
function requireRoomForTags(feature: string, { tags, otherBytes }: StoredTags): void {
  const members = Object.fromEntries(tags.map((tag) => [tagMember(tag), true]));
  if (otherBytes + storedBytes(members) > limits.itemBytes) throw tooLarge(feature);
}

function updateOf(
  table: string,
  { feature, change, projects, read, ifMatch, stamp }: TagWrite,
  sentAt: number,
): UpdateCommand {
  const { added, removed } = change;
  const sets = ["changed = :stamp", ...added.map((_, index) => `tags.#a${index} = :true`)];
  const removes = removed.map((_, index) => `tags.#r${index}`);
  const exists = "attribute_exists(pk)";
  const isAfterFence = "(attribute_not_exists(fence) OR fence < :sentAt)";
  // DynamoDB reserves the word "project".
  const inProjects =
    projects === "all" ? [] : [`#project IN (${projects.map((_, index) => `:p${index}`).join()})`];
  const isSame = read === undefined ? [] : ["uid = :uid"];
  const isUnchanged = ifMatch === initialEtag ? "attribute_not_exists(changed)" : "changed.id = :ifMatch";
  // After a lost response the item may have this update already: then it has its id.
  const isOurs = "changed.id = :id";
  const ofMatch = ifMatch === undefined ? [] : [`(${isUnchanged} OR ${isOurs})`];
  return new UpdateCommand({
    TableName: table,
    Key: featureKey(feature),
    ConditionExpression: [exists, isAfterFence, ...inProjects, ...isSame, ...ofMatch].join(" AND "),
    UpdateExpression: `SET ${sets.join()}${removes.length > 0 ? ` REMOVE ${removes.join()}` : ""}`,
    ExpressionAttributeNames: {
      ...members("#a", added),
      ...members("#r", removed),
      ...(projects !== "all" && { "#project": "project" }),
    },
    ExpressionAttributeValues: {
      ":stamp": stamp,
      ":sentAt": sentAt,
      ...(added.length > 0 && { ":true": true }),
      ...(projects !== "all" &&
        Object.fromEntries(projects.map((project, index) => [`:p${index}`, project]))),
      ...(read && { ":uid": read.uid }),
      ...(ifMatch !== undefined && { ":id": stamp.id }),
      ...(ifMatch !== undefined && ifMatch !== initialEtag && { ":ifMatch": ifMatch }),
    },
    ReturnValues: "ALL_NEW",
    ReturnValuesOnConditionCheckFailure: "ALL_OLD",
  });
}

function members(prefix: string, tags: readonly Tag[]): Record<string, string> {
  return Object.fromEntries(tags.map((tag, index) => [`${prefix}${index}`, tagMember(tag)]));
}

function toStoredTags({ tags, ...others }: FeatureItem): StoredTags {
  const { project, changed } = others;
  return {
    project,
    tags: Object.keys(tags).map(parseTagMember),
    etag: changed?.id ?? initialEtag,
    otherBytes: storedBytes({ ...others, tags: null }),
  };
}

function unknownOutcome(): ConflictError {
  return new ConflictError(
    "It is not known whether the tag update was stored: its response was lost, and its retry was refused; read the tags before you retry",
  );
}

function tooLarge(feature: string, cause?: unknown): ValidationError {
  const message = `The tags of feature "${feature}" would not fit in a stored item (${limits.itemBytes / 1024} KiB)`;
  return new ValidationError(message, { cause });
}
