/**
 * Notes at the environments of a project's features what the stored documents have no place for: a patch or a switch then
 * says so, and reads no document.
 */
import { isDeepStrictEqual } from "node:util";
import { UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { parseBase } from "../../lib/documents/base-document.ts";
import { type FormatName, formats, type Subject } from "../../lib/documents/formats.ts";
import type { Aspect, Unseen } from "../../lib/features/model.ts";
import { readItems } from "../../lib/store/batches.ts";
import { isConditionFailure } from "../../lib/store/failures.ts";
import { type EnvironmentItem, environmentKey } from "../../lib/store/items.ts";
import { createReadStore, readStoredDocument } from "../../lib/store/read-store.ts";
import type { Session } from "../../lib/store/session.ts";

export type DocumentPlace = Omit<Subject, "format">;

const readers: Record<FormatName, string> = { flagd: "flagd", unleash: "SDKs of Unleash" };

/** Notes it at every feature, after a stored document was written. */
export async function noteUnseen(session: Session, place: DocumentPlace): Promise<void> {
  const features = await createReadStore(session).readVariants(place.project, place.environment);
  const names = features.map(({ name }) => name);
  await writeNotes(session, place, names, await readNotes(session, place, names));
}

/** Notes it at new features, which have no note and may not be in the index yet. */
export async function noteUnseenOfNew(session: Session, place: DocumentPlace, names: readonly string[]) {
  const notes = await readNotes(session, place, names);
  await writeNotes(session, place, [...notes.keys()], notes);
}

/** Writes only where the note differs: neither a revision nor a change. */
async function writeNotes(
  session: Session,
  { environment }: DocumentPlace,
  names: readonly string[],
  notes: ReadonlyMap<string, Unseen>,
): Promise<void> {
  const tableKeys = names.map((name) => environmentKey(name, environment));
  for (const item of await readItems<EnvironmentItem>(session, tableKeys)) {
    const unseen = notes.get(item.feature) ?? {};
    if (!isDeepStrictEqual(item.unseen ?? {}, unseen)) await writeNote(session, item, unseen);
  }
}

async function readNotes(
  session: Session,
  place: DocumentPlace,
  features: readonly string[],
): Promise<ReadonlyMap<string, Unseen>> {
  const notes = new Map<string, Unseen>();
  const add = (name: string, aspect: Aspect, note: string) => {
    const earlier = notes.get(name);
    notes.set(name, { ...earlier, [aspect]: [earlier?.[aspect] ?? [], note].flat().join(". ") });
  };
  for (const [format, reader] of Object.entries(readers) as [FormatName, string][]) {
    const text = await readStoredDocument(session, { ...place, format });
    if (text === undefined) continue;
    const base = parseBase(formats[format], text, "the stored document");
    const [known, hidden] = [formats[format].featuresOf(base), formats[format].hidden(base)];
    for (const name of features) {
      const lacking = known.has(name) ? undefined : "the stored document lacks the feature";
      const why = lacking ?? hidden.get(name);
      if (lacking !== undefined) add(name, "enabled", `${reader} will not see the switch: ${lacking}`);
      if (why !== undefined) add(name, "variants", `${reader} will not see these variants: ${why}`);
    }
  }
  return notes;
}

/** An environment that was deleted since is left alone. */
async function writeNote(session: Session, { pk, sk, uid }: EnvironmentItem, unseen: Unseen): Promise<void> {
  const update = new UpdateCommand({
    TableName: session.table,
    Key: { pk, sk },
    ConditionExpression: "uid = :uid",
    UpdateExpression: "SET #unseen = :unseen",
    ExpressionAttributeNames: { "#unseen": "unseen" },
    ExpressionAttributeValues: { ":uid": uid, ":unseen": unseen },
  });
  await session.send(update).catch((error: unknown) => {
    if (!isConditionFailure(error)) throw error;
  });
}
