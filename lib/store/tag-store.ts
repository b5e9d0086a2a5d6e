/** Reads tags, and writes them in one atomic update without a read. */
import { UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { ConflictError, toUnknownOutcome, ValidationError } from "../contract/errors.ts";
import { limits } from "../contract/limits.ts";
import type { Tag } from "../contract/tags.ts";
import { fingerprint, idBytes, type Stamp } from "../features/stamp.ts";
import { storedBytes } from "../features/stored-bytes.ts";
import type { StoredTags, TagResult, TagStore, TagWrite } from "../features/stores.ts";
import { isConditionFailure } from "./failures.ts";
import { type FeatureItem, featureKey, isStorableName, parseTagMember, tagMember } from "./items.ts";
import { currentItem, getItem } from "./read-items.ts";
import type { Session } from "./session.ts";
import { tryCalls, tryGet, tryUpdate } from "./try-calls.ts";

export function createTagStore(session: Session): TagStore {
  return {
    readTags: (feature) => readTags(session, feature),
    writeTags: (write) => writeTags(session, write),
    requireRoomForTags,
    tryCalls: () => tryCalls(session, { GetItem: tryGet, UpdateItem: tryUpdate }),
  };
}

async function readTags(session: Session, feature: string): Promise<StoredTags | undefined> {
  if (!isStorableName(feature)) return undefined;
  const item = await getItem<FeatureItem>(session, featureKey(feature));
  return item && toStoredTags(item);
}

/** What is known of attempts that another request's fence refused. */
interface Fenced {
  fence: number;
  mayBeStored: boolean;
}

/**
 * An attempt that arrives after its retry was acknowledged would undo later updates. So a retry stores its time as the
 * item's fence, which refuses attempts of an earlier time:
 *
 *   no response --> the retry sets the fence --> the first attempt arrives late --> refused
 */
export async function writeTags(
  session: Session,
  write: TagWrite,
  earlier: Fenced = { fence: 0, mayBeStored: false },
): Promise<TagResult> {
  const { feature } = write;
  if (!isStorableName(feature)) return { written: false };
  const sentAt = Math.max(Date.now(), earlier.fence + 1);
  const result = await session.write(
    ({ retries, mayBeStored }) => updateOf(session.table, write, sentAt + retries, mayBeStored),
    earlier.mayBeStored,
  );
  if (result.isStored) return { written: true, stored: toStoredTags(result.attributes as FeatureItem) };
  const { refusal, mayBeStored } = result;
  if (!isConditionFailure(refusal)) throw mayBeStored ? unknownOutcome() : tooLarge(feature, refusal);
  const item = await currentItem<FeatureItem>(session, refusal, featureKey(feature)).catch((failure) => {
    throw mayBeStored ? toUnknownOutcome(failure) : failure;
  });
  // Another request's fence is ahead of this clock: try again with a later time.
  if (item && item.fence >= sentAt) {
    return writeTags(session, write, { fence: item.fence, mayBeStored });
  }
  // An earlier attempt may have been stored, and followed by another update.
  if (mayBeStored) throw unknownOutcome();
  return { written: false, ...(item && { current: toStoredTags(item) }) };
}

/** A dry run must refuse what DynamoDB would refuse. */
function requireRoomForTags(feature: string, { tags, otherBytes }: StoredTags): void {
  const members = Object.fromEntries(tags.map((tag) => [tagMember(tag), true]));
  if (otherBytes + storedBytes(members) > limits.itemBytes) throw tooLarge(feature);
}

function updateOf(
  table: string,
  { feature, added, removed, projects, ifMatch, stamp }: TagWrite,
  sentAt: number,
  setsFence: boolean,
): UpdateCommand {
  const fence = setsFence ? ["fence = :sentAt"] : [];
  const sets = ["changed = :stamp", ...fence, ...added.map((_, index) => `tags.#a${index} = :true`)];
  const removes = removed.map((_, index) => `tags.#r${index}`);
  const exists = "attribute_exists(pk)";
  const isAfterFence = "fence < :sentAt";
  // DynamoDB reserves the word "project".
  const inProjects =
    projects === "all" ? [] : [`#project IN (${projects.map((_, index) => `:p${index}`).join()})`];
  // After a lost response the item may have this update already, and its id.
  const ofMatch = ifMatch === undefined ? [] : ["changed.id IN (:ifMatch, :id)"];
  return new UpdateCommand({
    TableName: table,
    Key: featureKey(feature),
    ConditionExpression: [exists, isAfterFence, ...inProjects, ...ofMatch].join(" AND "),
    UpdateExpression: `SET ${sets.join()}${removes.length > 0 ? ` REMOVE ${removes.join()}` : ""}`,
    ExpressionAttributeNames: {
      ...members("#a", added),
      ...members("#r", removed),
      ...(projects !== "all" && { "#project": "project" }),
    },
    ExpressionAttributeValues: {
      ":stamp": setsFence && ifMatch === undefined ? retryStamp(stamp, sentAt) : stamp,
      ":sentAt": sentAt,
      ...(added.length > 0 && { ":true": true }),
      ...(projects !== "all" &&
        Object.fromEntries(projects.map((project, index) => [`:p${index}`, project]))),
      ...(ifMatch !== undefined && { ":ifMatch": ifMatch, ":id": stamp.id }),
    },
    ReturnValues: "ALL_NEW",
    ReturnValuesOnConditionCheckFailure: "ALL_OLD",
  });
}

/** Without If-Match a retry may be stored over another update: the ETag must not be that of the first attempt again. */
function retryStamp(stamp: Stamp, sentAt: number): Stamp {
  return { ...stamp, id: fingerprint([stamp.id, sentAt], idBytes) };
}

function members(prefix: string, tags: readonly Tag[]): Record<string, string> {
  return Object.fromEntries(tags.map((tag, index) => [`${prefix}${index}`, tagMember(tag)]));
}

function toStoredTags({ tags, ...others }: FeatureItem): StoredTags {
  const { project, changed } = others;
  return {
    project,
    tags: Object.keys(tags).map(parseTagMember),
    etag: changed.id,
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
