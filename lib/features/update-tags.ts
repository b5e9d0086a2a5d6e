/** Reads and updates the tags of a feature. */
import { authoriseReadOfTags, authoriseTags, missingForTags, projectsForTags } from "../access/authorise.ts";
import type { Caller, MissingPermission } from "../access/permissions.ts";
import { NotFoundError, PreconditionFailed } from "../contract/errors.ts";
import { type Preconditions, whyUnmet } from "../contract/etags.ts";
import type { Tag, UpdateTags } from "../contract/tags.ts";
import { compareCodePoints } from "./code-points.ts";
import type { Stamp } from "./stamp.ts";
import type { StoredTags, TagDifference, TagReader, TagStore } from "./stores.ts";

export interface TagUpdate {
  feature: string;
  update: UpdateTags;
  caller: Caller;
  preconditions: Preconditions;
  stamp: Stamp;
}

export interface TagList {
  tags: Tag[];
  etag: string;
}

export async function readTags(store: TagReader, feature: string, caller: Caller): Promise<TagList> {
  const stored = requireFeature(await store.readTags(feature), feature);
  authoriseReadOfTags(caller, stored.project);
  return toTagList(stored);
}

export async function updateTags(store: TagStore, request: TagUpdate): Promise<TagList> {
  const { feature, update, caller, stamp } = request;
  const difference = netDifference(update);
  const isEmpty = difference.added.length === 0 && difference.removed.length === 0;
  if (isEmpty) return tagsAfter(store, await readForUpdate(store, request), request);
  const ifMatch = await toSingleEtag(store, request);
  const projects = projectsForTags(caller);
  const result = await store.writeTags({ feature, ...difference, projects, ifMatch, stamp });
  if (result.written) return toTagList(result.stored);
  requireUpdatable(result.current, request);
  // The item, read after the failed condition, may allow the update by now.
  return updateTags(store, request);
}

interface TagPreview extends TagList {
  missing: MissingPermission[];
}

export async function previewTags(
  store: TagReader,
  request: TagUpdate,
  { strict }: { strict: boolean },
): Promise<TagPreview> {
  const { feature, caller } = request;
  const stored = requireFeature(await store.readTags(feature), feature);
  const { project } = stored;
  if (strict) authoriseTags(caller, project);
  else authoriseReadOfTags(caller, project);
  requireCurrent(stored, request);
  return { ...tagsAfter(store, stored, request), missing: missingForTags(caller, project) };
}

function tagsAfter(store: TagReader, stored: StoredTags, { feature, update }: TagUpdate): TagList {
  const { addedTags, removedTags } = update;
  const tags = new Map([...stored.tags, ...addedTags].map((tag) => [identityOf(tag), tag]));
  for (const tag of removedTags) tags.delete(identityOf(tag));
  const after = { ...stored, tags: [...tags.values()] };
  store.requireRoomForTags(feature, after);
  return toTagList(after);
}

/** A single ETag of If-Match becomes a condition of the write; other preconditions need the current one first. */
async function toSingleEtag(store: TagReader, request: TagUpdate): Promise<string | undefined> {
  const { ifMatch, ifNoneMatch } = request.preconditions;
  const isRead =
    ifNoneMatch !== undefined || (ifMatch !== undefined && ifMatch !== "*" && ifMatch.length !== 1);
  if (isRead) return (await readForUpdate(store, request)).etag;
  return ifMatch === "*" ? undefined : ifMatch?.[0];
}

async function readForUpdate(store: TagReader, request: TagUpdate): Promise<StoredTags> {
  return requireUpdatable(await store.readTags(request.feature), request);
}

function requireUpdatable(found: StoredTags | undefined, request: TagUpdate): StoredTags {
  const { feature, caller } = request;
  const stored = requireFeature(found, feature);
  authoriseTags(caller, stored.project);
  requireCurrent(stored, request);
  return stored;
}

/** The ETag of tags is the id of their last update. */
function requireCurrent({ etag }: StoredTags, { preconditions }: TagUpdate): void {
  const reason = whyUnmet(preconditions, { etag, what: "tags" });
  if (reason !== undefined) throw new PreconditionFailed(`${reason}; nothing was written`, { etag });
}

function requireFeature(stored: StoredTags | undefined, feature: string): StoredTags {
  if (!stored) throw new NotFoundError(`Feature "${feature}" does not exist`);
  return stored;
}

/** Additions come before removals: a tag in both lists is removed. */
export function netDifference({ addedTags, removedTags }: UpdateTags): TagDifference {
  const removed = new Map(removedTags.map((tag) => [identityOf(tag), tag]));
  const added = new Map(addedTags.map((tag) => [identityOf(tag), tag]));
  for (const identity of removed.keys()) added.delete(identity);
  return { added: [...added.values()], removed: [...removed.values()] };
}

function toTagList({ tags, etag }: StoredTags): TagList {
  return { tags: sortTags(tags), etag };
}

export function sortTags(tags: readonly Tag[]): Tag[] {
  return [...tags].sort(
    (left, right) => compareCodePoints(left.type, right.type) || compareCodePoints(left.value, right.value),
  );
}

function identityOf({ type, value }: Tag): string {
  return JSON.stringify([type, value]);
}
