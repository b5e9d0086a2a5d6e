/** Changes the stored document of a subject: shows what SDKs would see of it, asks, and writes. */
import { limits } from "../../lib/contract/limits.ts";
import { parseBase } from "../../lib/documents/base-document.ts";
import { formatExactly } from "../../lib/documents/exact-json.ts";
import { formats, type Subject } from "../../lib/documents/formats.ts";
import { unpack } from "../../lib/documents/packed.ts";
import type { Stamp } from "../../lib/features/stamp.ts";
import type { DocumentItem } from "../../lib/store/items.ts";
import { createReadStore } from "../../lib/store/read-store.ts";
import { confirmed } from "../cli/confirm.ts";
import { exitCodes } from "../cli/explain.ts";
import { note, print, printJson } from "../cli/output.ts";
import { printable } from "../cli/printable.ts";
import { UsageError } from "../cli/refusal.ts";
import { noteUnseen } from "../store/write-unseen.ts";
import type { CommandOptions } from "./command.ts";
import { changesNothing } from "./document-differences.ts";
import { formatLeftOut } from "./left-out.ts";
import type { OperatorSession } from "./place.ts";
import { previewServed, serve, withConsequence } from "./preview-served.ts";

export interface ChangeOptions extends CommandOptions {
  exitCode?: boolean;
}

interface DocumentChange {
  subject: Subject;
  stored: DocumentItem | undefined;
  /** Undefined to have no stored document any more. */
  text: string | undefined;
  /** Such as "Store the document for ...". */
  question: string;
  /** Such as "Stored the document for ...". */
  done: string;
  /** Refused if the document was changed since `stored` was read. */
  write(stamp: Stamp): Promise<void>;
}

export async function changeDocument(
  session: OperatorSession,
  options: ChangeOptions,
  { subject, stored, text, question, done, write }: DocumentChange,
): Promise<void> {
  const { dryRun = false, exitCode, json, yes } = options;
  if (exitCode && !dryRun) throw new UsageError("--exit-code needs --dry-run");
  const before = storedText(stored);
  const isUnchanged = isSameDocument(subject, before, text);
  const reader = createReadStore(session);
  const [now, then] = [await serve(reader, subject, before), await serve(reader, subject, text)];
  const { differences, preview } = previewServed(subject.format, now, then);
  if (exitCode && !isUnchanged) process.exitCode = exitCodes.differences;
  const isSeen = !then || !changesNothing(differences);
  const stamp = session.newStamp();
  const isWritten = !dryRun && !isUnchanged;
  if (isWritten) {
    if (isSeen) await confirmed(withConsequence(question, differences), { yes, what: preview });
    await write(stamp);
    if (then) await noteUnseen(session, subject);
  }
  const leftOut = then?.omissions.list() ?? [];
  const etag = isWritten ? stamp.id : stored?.changed.id;
  if (json) return printJson({ ...subject, dryRun, unchanged: isUnchanged, etag, ...differences, leftOut });
  if (dryRun) print(`Dry run, nothing was changed. ${preview}`);
  else if (isUnchanged)
    print(`The document for ${describeSubject(subject)} is as it was: nothing was changed.`);
  else print(`${yes || !isSeen ? `${preview}\n` : ""}${done}: the change ${stamp.id}.`);
  if (text !== undefined)
    print(leftOut.length > 0 ? formatLeftOut(leftOut, "not as stored") : "Nothing is left out.");
  if (then && Buffer.byteLength(then.json) > limits.responseBytes) note(needsGzip);
}

const needsGzip = `Note: the document has more than ${limits.responseBytes / 1_000_000} MB: clients that do not accept gzip get a 400.`;

/** Undefined where no document is stored. */
export function storedText(stored: Pick<DocumentItem, "gzip"> | undefined): string | undefined {
  return stored?.gzip === undefined ? undefined : unpack(stored.gzip);
}

export function describeSubject({ format, project, environment }: Subject): string {
  return printable(`${format} in environment "${environment}" of project "${project}"`);
}

/** Whatever the layout. */
function isSameDocument({ format }: Subject, left: string | undefined, right: string | undefined): boolean {
  if (left === undefined || right === undefined || left === right) return left === right;
  const [one, other] = [left, right].map((text) =>
    formatExactly(parseBase(formats[format], text, "it") as object),
  );
  return one === other;
}
