/** Reads and updates the tags of a feature. */
import { isDeepStrictEqual } from "node:util";
import { type Caller, mayRead, missingPermissions, requirePermission } from "../../access/permissions.ts";
import type { Clock } from "../../clock.ts";
import { ConflictError, NotFoundError } from "../../contract/errors.ts";
import type { Tag, UpdateTags } from "../../contract/tags.ts";
import { type ConflictContext, handleConflict } from "../conflicts/after-conflict.ts";
import { createBackoff } from "../conflicts/backoff.ts";
import { etagOfTags, requirePreconditions } from "../etags.ts";
import type { Preconditions, TagState } from "../model.ts";
import { earlierWriteIdsAfter, type Stamp } from "../stamp.ts";
import type { TagReader, TagStore } from "../stores.ts";
import { requireRoomForTags, sortTags, tagsAfter } from "./tag-list.ts";

export interface TagRequest {
  feature: string;
  update: UpdateTags;
  caller: Caller;
  preconditions: Preconditions;
  stamp: Stamp;
}

export interface TagsResult {
  tags: Tag[];
  etag: string;
  /** The id of the update, if one is stored. */
  writeId?: string;
}

/** The path does not name the feature's project, so the permission is checked here. */
const permission = "UPDATE_FEATURE";

export async function listTags(store: TagReader, feature: string, caller: Caller): Promise<TagsResult> {
  return toTagsResult(requireFeature(await store.readTags(feature), feature, caller));
}

/** Stores the update once, or not at all. After a write conflict, plans it again for the tags as they are by then. */
export async function updateTags(store: TagStore, clock: Clock, request: TagRequest): Promise<TagsResult> {
  const { feature, caller, stamp } = request;
  const context: ConflictContext<TagState, Stamp> = {
    backoff: createBackoff(clock),
    subject: `Feature "${feature}"`,
    read: () => store.readTags(feature),
    findOwnWrite: async (before, stored) => (hasOwnUpdate(before, stored, stamp) ? stamp : undefined),
  };
  let before = requireFeature(await context.read(), feature, caller);
  requirePermission(caller, permission, { project: before.project });
  for (;;) {
    const after = planUpdate(before, request);
    if (after === undefined) return toTagsResult(before);
    const result = await store.writeTags(feature, before, after);
    if (result.isStored) return { ...toTagsResult(after), writeId: stamp.id };
    const next = await handleConflict(context, before, result);
    if (next.kind === "own write") return { ...toTagsResult(next.state), writeId: stamp.id };
    if (!next.state)
      throw new NotFoundError(`Feature "${feature}" was deleted meanwhile; nothing was written`);
    before = next.state;
  }
}

export async function previewTags(
  store: TagReader,
  request: TagRequest,
  { prefersStrict }: { prefersStrict: boolean },
): Promise<TagsResult & { missingPermissions: ReturnType<typeof missingPermissions> }> {
  const { feature, caller } = request;
  const before = requireFeature(await store.readTags(feature), feature, caller);
  const { project } = before;
  if (prefersStrict) requirePermission(caller, permission, { project });
  const { tags } = planUpdate(before, request) ?? before;
  return {
    ...toTagsResult({ ...before, tags }),
    missingPermissions: missingPermissions(caller, project, [{ permission }]),
  };
}

/** Returns undefined if there is nothing to write. */
function planUpdate(before: TagState, { update, preconditions, stamp }: TagRequest): TagState | undefined {
  requirePreconditions(preconditions, { etag: etagOfTags(before), what: "tags" });
  const tags = tagsAfter(before.tags, update);
  if (isDeepStrictEqual(tags, sortTags(before.tags))) return undefined;
  requireRoomForTags(tags);
  return {
    ...before,
    revision: before.revision + 1,
    tags,
    lastWrite: stamp,
    earlierWriteIds: earlierWriteIdsAfter(before.lastWrite, before.earlierWriteIds),
  };
}

/** Whether the stored state includes the update. Throws if that is not known. */
function hasOwnUpdate(before: TagState, stored: TagState, { id }: Stamp): boolean {
  const ids = [stored.lastWrite.id, ...stored.earlierWriteIds];
  if (ids.includes(id)) return true;
  // There is one id for each revision. If they reach back to `before`, the id of this update would be among them.
  if (stored.revision - before.revision <= ids.length) return false;
  throw new ConflictError("It is not known whether the write was stored; send the update again", {
    code: "outcome-unknown",
  });
}

/** Throws the same error if the key may not read the project, so that it cannot find out that the feature exists. */
function requireFeature(state: TagState | undefined, feature: string, caller: Caller): TagState {
  if (!state || !mayRead(caller, state.project))
    throw new NotFoundError(`Feature "${feature}" does not exist`);
  return state;
}

function toTagsResult(state: TagState): TagsResult {
  return { tags: sortTags(state.tags), etag: etagOfTags(state) };
}
