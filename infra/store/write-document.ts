/**
 * Stores, removes and restores documents of SDKs. The version that a write replaces is stored as an item of its own
 * before the write, so that it can be restored for 30 days.
 */
import { PutCommand } from "@aws-sdk/lib-dynamodb";
import { limits } from "../../lib/contract/limits.ts";
import type { Subject } from "../../lib/documents/formats.ts";
import { packAtMost } from "../../lib/documents/packed.ts";
import { newId, type Stamp } from "../../lib/features/stamp.ts";
import { readItems } from "../../lib/store/batches.ts";
import {
  type DocumentItem,
  type DocumentVersion,
  documentKey,
  type OldDocumentItem,
  oldDocumentKey,
} from "../../lib/store/items.ts";
import { getItem } from "../../lib/store/read-items.ts";
import type { Session } from "../../lib/store/session.ts";
import { replaceItem } from "./replace-item.ts";

export function readDocumentItem(session: Session, subject: Subject): Promise<DocumentItem | undefined> {
  return getItem<DocumentItem>(session, documentKey(subject));
}

/** Newest first, without those that have expired. */
export async function readOldDocuments(
  session: Session,
  { olderIds }: Pick<DocumentItem, "olderIds">,
): Promise<OldDocumentItem[]> {
  const items = await readItems<OldDocumentItem>(session, olderIds.map(oldDocumentKey));
  const byId = new Map(items.filter(isKept).map((item) => [item.changed.id, item]));
  return olderIds.flatMap((id) => byId.get(id) ?? []);
}

export async function readOldDocument(session: Session, id: string): Promise<OldDocumentItem | undefined> {
  const item = await getItem<OldDocumentItem>(session, oldDocumentKey(id));
  return item && isKept(item) ? item : undefined;
}

/** DynamoDB may delete an expired item days later. */
function isKept({ ttl }: OldDocumentItem): boolean {
  return ttl * 1000 > Date.now();
}

/** Refused if the document was changed since `stored` was read. */
export async function writeDocument(
  session: Session,
  subject: Subject,
  { stored, json, stamp }: { stored: DocumentItem | undefined; json: string; stamp: Stamp },
): Promise<void> {
  await replaceDocument(session, subject, stored, { ...onTop(stored, stamp), gzip: packAtMost(json) });
}

export async function removeDocument(
  session: Session,
  subject: Subject,
  { stored, stamp }: { stored: DocumentItem; stamp: Stamp },
): Promise<void> {
  await replaceDocument(session, subject, stored, onTop(stored, stamp));
}

function onTop(stored: DocumentItem | undefined, changed: Stamp): DocumentVersion {
  return { changed, top: { id: changed.id, before: stored?.changed.id ?? null } };
}

/** `old` is what the change on top has replaced: it is in effect again, with the change on top of its own. */
export async function restoreDocument(
  session: Session,
  subject: Subject,
  { stored, old, stamp }: { stored: DocumentItem; old: DocumentVersion | undefined; stamp: Stamp },
): Promise<void> {
  const { gzip, top } = old ?? {};
  await replaceDocument(session, subject, stored, {
    ...(gzip !== undefined && { gzip }),
    ...(top && { top }),
    ...(stored.top && { undoes: stored.top.id }),
    changed: stamp,
  });
}

/** As it is stored, in an empty table. */
export function newDocumentItem(subject: Subject, json: string, stamp: Stamp): DocumentItem {
  return toItem(subject, undefined, { ...onTop(undefined, stamp), gzip: packAtMost(json) });
}

async function replaceDocument(
  session: Session,
  subject: Subject,
  stored: DocumentItem | undefined,
  version: DocumentVersion,
): Promise<void> {
  if (stored) await keepVersion(session, stored, version.changed);
  const item = toItem(subject, stored, version);
  await replaceItem(session, stored, () => item);
}

/** Of two writers at once, both store it, and one replaces it: the item is of a version that was stored. */
async function keepVersion(
  session: Session,
  { pk, sk, uid, olderIds, ...version }: DocumentItem,
  { at }: Stamp,
): Promise<void> {
  const Item: OldDocumentItem = { ...oldDocumentKey(version.changed.id), ...version, ttl: expiryOf(at) };
  await session.send(new PutCommand({ TableName: session.table, Item }));
}

function toItem(subject: Subject, stored: DocumentItem | undefined, version: DocumentVersion): DocumentItem {
  const olderIds = stored ? [stored.changed.id, ...stored.olderIds] : [];
  return {
    ...documentKey(subject),
    uid: newId(),
    ...version,
    olderIds: olderIds.slice(0, limits.olderDocuments),
    // Without content it is of no use once the versions before it have expired.
    ...(version.gzip === undefined && { ttl: expiryOf(version.changed.at) }),
  };
}

function expiryOf(at: string): number {
  return Math.ceil(Date.parse(at) / 1000) + limits.changeDays * 24 * 3600;
}
