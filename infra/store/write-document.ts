/** Stores and replaces base documents of SDKs. */
import { ValidationError } from "../../lib/contract/errors.ts";
import { limits } from "../../lib/contract/limits.ts";
import type { Subject } from "../../lib/documents/document.ts";
import { newId, type Stamp } from "../../lib/features/stamp.ts";
import { pack } from "../../lib/store/base-documents.ts";
import { type DocumentItem, documentKey } from "../../lib/store/items.ts";
import { getItem } from "../../lib/store/read-items.ts";
import type { Session } from "../../lib/store/session.ts";
import { replaceItem } from "./replace-item.ts";

export function readDocumentItem(session: Session, subject: Subject): Promise<DocumentItem | undefined> {
  return getItem<DocumentItem>(session, documentKey(subject));
}

export async function writeDocument(
  session: Session,
  subject: Subject,
  json: string,
  stamp: Stamp,
): Promise<void> {
  const gzip = pack(json);
  if (gzip.length > limits.storedDocumentBytes) {
    const [bytes, most] = [gzip.length, limits.storedDocumentBytes].map((size) => Math.ceil(size / 1024));
    throw new ValidationError(
      `the document has ${bytes} KiB when it is compressed, more than ${most} KiB; divide the features over more projects`,
    );
  }
  const stored = await readDocumentItem(session, subject);
  const item: DocumentItem = { ...documentKey(subject), uid: newId(), gzip, changed: stamp };
  await replaceItem(session, stored, () => item);
}
