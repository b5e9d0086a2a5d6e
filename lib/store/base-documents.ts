/** Reads the base documents that operators have stored. */
import type { Subject } from "../documents/formats.ts";
import { unpack } from "../documents/packed.ts";
import { type DocumentItem, documentKey, isStorableName } from "./items.ts";
import { getItem } from "./read-items.ts";
import type { Session } from "./session.ts";

export async function readBaseDocument(session: Session, subject: Subject): Promise<string | undefined> {
  const { project, environment } = subject;
  if (!isStorableName(project) || !isStorableName(environment)) return undefined;
  const { gzip } = (await getItem<DocumentItem>(session, documentKey(subject))) ?? {};
  return gzip === undefined ? undefined : unpack(gzip);
}
