/** The store of tags: reads them, and changes them in one atomic update without a read. */
import { UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { ConflictError, ValidationError } from "../contract/errors.ts";
import { storedBytes } from "../contract/item-size.ts";
import { limits } from "../contract/limits.ts";
import type { Tag } from "../contract/tags.ts";
import type { StoredTags, TagResult, TagStore, TagWrite } from "../features/stores.ts";
import { attemptsOf, isConditionFailure, isItemTooLarge, isThrottled } from "./failures.ts";
import { currentItem, getItem } from "./get-item.ts";
import { type FeatureItem, featureKey, isStorableName, parseTagMember, tagMember } from "./items.ts";
import type { Session } from "./session.ts";

export function createTagStore(session: Session): TagStore {
  return {
    readTags: (feature) => readTags(session, feature),
    changeTags: (write) => changeTags(session, write),
    requireRoomForTags,
  };
}

/** The ETag of tags that no request has changed yet. */
const initialEtag = "0";

export async function readTags(session: Session, feature: string): Promise<StoredTags | undefined> {
  if (!isStorableName(feature)) return undefined;
  const item = await getItem<FeatureItem>(session, featureKey(feature));
  return item && toStoredTags(item);
}

/**
 * Setting and removing members of a map has the same result however often it is retried, until another change follows.
 * So a copy of the update must not arrive after its retry was acknowledged:
 *
 *   this update --> no response --> the SDK's retry sets the item's fence --> the first copy is late --> refused
 */
export async function changeTags(session: Session, write: TagWrite): Promise<TagResult> {
  const { feature } = write;
  if (!isStorableName(feature)) return { changed: false };
  let wasRetried = false;
  let fence = 0;
  for (;;) {
    const firstSentAt = Math.max(Date.now(), fence + 1);
    const update = updateOf(session.table, write, firstSentAt);
    const sentAt = setFenceOnRetry(update, firstSentAt);
    try {
      const { Attributes } = await session.send(update);
      return { changed: true, stored: toStoredTags(Attributes as FeatureItem) };
    } catch (error) {
      if (isItemTooLarge(error)) throw tooLarge(feature, error);
      if (!isConditionFailure(error)) throw error;
      wasRetried ||= attemptsOf(error) > 1;
      const item = await currentItem<FeatureItem>(session, error, featureKey(feature));
      fence = item?.fence ?? 0;
      // The fence is another request's, whose clock may be ahead.
      if (fence >= sentAt()) continue;
      // Its own first attempt may have been stored, and then another change have followed.
      if (wasRetried) {
        throw new ConflictError(
          "The change was retried after its response was lost, and the feature has changed: it is not known whether it was stored",
        );
      }
      return { changed: false, ...(item && { current: toStoredTags(item) }) };
    }
  }
}

/** For a dry run, which DynamoDB cannot refuse. */
export function requireRoomForTags(feature: string, { tags, otherBytes }: StoredTags): void {
  const members = Object.fromEntries(tags.map((tag) => [tagMember(tag), true]));
  if (otherBytes + storedBytes(members) > limits.itemBytes) throw tooLarge(feature);
}

/** From a retry of a lost attempt on, the item refuses the earlier attempts. Returns when the latest one was sent. */
function setFenceOnRetry(command: UpdateCommand, firstSentAt: number): () => number {
  let sentAt = firstSentAt;
  let isLost = false;
  command.middlewareStack.addRelativeTo(
    ((next: Send) => async (attempt: Attempt) => {
      if (isLost) sentAt = Math.max(Date.now(), sentAt + 1);
      try {
        return await next(isLost ? { ...attempt, request: withFence(attempt.request, sentAt) } : attempt);
      } catch (error) {
        isLost ||= !isThrottled(error);
        throw error;
      }
    }) as never,
    // The document client adds it twice; the name makes it one.
    { relation: "after", toMiddleware: "retryMiddleware", name: "setFenceOnRetry", override: true },
  );
  return () => sentAt;
}

type Send = (attempt: Attempt) => Promise<unknown>;

interface Attempt {
  request: Request;
}

interface Request {
  body: string | Uint8Array;
  headers: Record<string, string>;
}

function withFence(request: Request, sentAt: number): Request {
  const input = JSON.parse(Buffer.from(request.body).toString());
  input.UpdateExpression = input.UpdateExpression.replace(/^SET /, "SET fence = :sentAt, ");
  input.ExpressionAttributeValues[":sentAt"] = { N: String(sentAt) };
  const body = JSON.stringify(input);
  return {
    ...request,
    body,
    headers: { ...request.headers, "content-length": `${Buffer.byteLength(body)}` },
  };
}

function updateOf(
  table: string,
  { feature, change, projects, ifMatch, stamp }: TagWrite,
  sentAt: number,
): UpdateCommand {
  const { added, removed } = change;
  const sets = ["changed = :stamp", ...added.map((_, index) => `tags.#a${index} = :true`)];
  const removes = removed.map((_, index) => `tags.#r${index}`);
  const exists = "attribute_exists(pk)";
  const isAhead = "(attribute_not_exists(fence) OR fence < :sentAt)";
  // DynamoDB reserves the word "project".
  const isInProjects =
    projects === "all" ? [] : [`#project IN (${projects.map((_, index) => `:p${index}`).join()})`];
  const isUnchanged = ifMatch === initialEtag ? "attribute_not_exists(changed)" : "changed.id = :ifMatch";
  // A write that the SDK retries finds itself.
  const isOurs = "changed.id = :id";
  const isMatch = ifMatch === undefined ? [] : [`(${isUnchanged} OR ${isOurs})`];
  return new UpdateCommand({
    TableName: table,
    Key: featureKey(feature),
    ConditionExpression: [exists, isAhead, ...isInProjects, ...isMatch].join(" AND "),
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

function tooLarge(feature: string, cause?: unknown): ValidationError {
  const message = `The tags of feature "${feature}" would not fit in a stored item (${limits.itemBytes / 1024} KB)`;
  return new ValidationError(message, { cause });
}
