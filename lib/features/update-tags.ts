/** Reads and updates the tags of a feature. */
import { isDeepStrictEqual } from "node:util";
import { authoriseReadOfTags, authoriseTags, missingForTags } from "../access/authorise-change.ts";
import type { Caller, MissingPermission } from "../access/permissions.ts";
import { ConflictError, NotFoundError, orUnknownOutcome, PreconditionFailed } from "../contract/errors.ts";
import { limits } from "../contract/limits.ts";
import type { Tag, UpdateTags } from "../contract/tags.ts";
import { type Clock, createBackoff } from "./backoff.ts";
import type { Preconditions } from "./model.ts";
import { tagsEtagOf, whyUnmet } from "./preconditions.ts";
import type { Stamp } from "./stamp.ts";
import type { Conflict, TagReader, TagState, TagStore } from "./stores.ts";
import { requireRoomForTags, sortTags, tagsAfter } from "./tag-list.ts";

export interface TagRequest {
  feature: string;
  update: UpdateTags;
  caller: Caller;
  preconditions: Preconditions;
  stamp: Stamp;
}

export interface TagList {
  tags: Tag[];
  etag: string;
  /** The id of the update, if one is stored. */
  change?: string;
}

export async function readTags(store: TagReader, feature: string, caller: Caller): Promise<TagList> {
  const state = requireFeature(await store.readTags(feature), feature);
  authoriseReadOfTags(caller, state.project);
  return toTagList(state);
}

/** Stores the update once, or not at all. After a write conflict, plans it again for the tags as they are by then. */
export async function updateTags(store: TagStore, clock: Clock, request: TagRequest): Promise<TagList> {
  const { feature, caller, stamp } = request;
  const backoff = createBackoff(clock);
  let before = requireFeature(await store.readTags(feature), feature);
  for (;;) {
    authoriseTags(caller, before.project);
    const after = planUpdate(before, request);
    if (after === undefined) return toTagList(before);
    const result = await store.writeTags(feature, before, after);
    if (result.written) return { ...toTagList(after), change: stamp.id };
    const stored = await stateAfterConflict(store, feature, before, result);
    if (!stored) throw deletedDuringUpdate(feature);
    const ownUpdate = lookUpUpdate(stored, before, stamp);
    if (ownUpdate === "unknown") throw unknownUpdate();
    if (ownUpdate === "stored") return { ...toTagList(stored), change: stamp.id };
    // After a lost response there may have been no other request to wait for.
    const hasPaused = !result.responseWasLost && (await backoff.pause());
    before = hasPaused ? requireSame(await store.readTags(feature), before, feature) : stored;
  }
}

export async function previewTags(
  store: TagReader,
  request: TagRequest,
  { strict }: { strict: boolean },
): Promise<TagList & { missing: MissingPermission[] }> {
  const { feature, caller } = request;
  const before = requireFeature(await store.readTags(feature), feature);
  const { project } = before;
  if (strict) authoriseTags(caller, project);
  else authoriseReadOfTags(caller, project);
  const { tags } = planUpdate(before, request) ?? before;
  return { ...toTagList({ ...before, tags }), missing: missingForTags(caller, project) };
}

/** Undefined if there is nothing to write. */
function planUpdate(before: TagState, { update, preconditions, stamp }: TagRequest): TagState | undefined {
  const etag = tagsEtagOf(before);
  const reason = whyUnmet(preconditions, { etag, what: "tags" });
  if (reason !== undefined) throw new PreconditionFailed(`${reason}; nothing was written`, { etag });
  const tags = tagsAfter(before.tags, update);
  if (isDeepStrictEqual(tags, sortTags(before.tags))) return undefined;
  requireRoomForTags(tags);
  return { ...before, revision: before.revision + 1, tags, changed: stamp, olderIds: olderIdsAfter(before) };
}

/** The `olderIds` that the next write stores. */
export function olderIdsAfter({ changed, olderIds }: Pick<TagState, "changed" | "olderIds">): string[] {
  return [changed.id, ...olderIds].slice(0, limits.olderUpdates);
}

/**
 * Returns the state that the failed write returned, or else reads it now; undefined if the feature was deleted, or created
 * again. No copy of the write can be stored any more: revisions only grow, so its condition can never hold again.
 */
async function stateAfterConflict(
  store: TagReader,
  feature: string,
  before: TagState,
  { responseWasLost, current }: Conflict<TagState>,
): Promise<TagState | undefined> {
  const stored = ifSame(current ?? (await orUnknownOutcome(store.readTags(feature))), before);
  if (!stored && responseWasLost) throw unknownUpdate();
  return stored;
}

function ifSame(state: TagState | undefined, { uid }: TagState): TagState | undefined {
  return state?.uid === uid ? state : undefined;
}

/** Looks for the write itself: its response may be lost, or a proxy may have sent it twice and returned the refusal. */
function lookUpUpdate(
  stored: TagState,
  before: TagState,
  { id }: Stamp,
): "stored" | "not stored" | "unknown" {
  const ids = [stored.changed.id, ...stored.olderIds];
  if (ids.includes(id)) return "stored";
  // The ids reach back to `before` unless more updates were made since than the feature keeps ids of.
  return stored.revision - before.revision <= ids.length ? "not stored" : "unknown";
}

function requireFeature(state: TagState | undefined, feature: string): TagState {
  if (!state) throw new NotFoundError(`Feature "${feature}" does not exist`);
  return state;
}

function requireSame(state: TagState | undefined, before: TagState, feature: string): TagState {
  const same = ifSame(state, before);
  if (same) return same;
  throw new NotFoundError(`Feature "${feature}" was deleted in the meantime; nothing was written`);
}

/**
 * A proxy may have sent the write twice: the first copy was stored, the feature was deleted, and the response is that of
 * the second copy.
 */
function deletedDuringUpdate(feature: string): NotFoundError {
  return new NotFoundError(
    `Feature "${feature}" was deleted in the meantime; it is not known whether the update was stored before`,
    { mayBeStored: true },
  );
}

function unknownUpdate(): ConflictError {
  return new ConflictError(
    "It is not known whether the tag update was stored: since it was sent the feature was deleted, or updated too often; read the tags before you retry",
    { mayBeStored: true },
  );
}

function toTagList(state: TagState): TagList {
  return { tags: sortTags(state.tags), etag: tagsEtagOf(state) };
}
