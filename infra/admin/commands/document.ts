/** `document get | check`, and its other commands. */
import type { Command } from "commander";
import { makeDocument } from "../../../lib/documents/document.ts";
import type { Subject } from "../../../lib/documents/formats.ts";
import type { DocumentVersion } from "../../../lib/store/items.ts";
import { createReadStore } from "../../../lib/store/read-store.ts";
import type { Session } from "../../../lib/store/session.ts";
import { exitCodes } from "../../cli/explain.ts";
import { note, print, printJson } from "../../cli/output.ts";
import { printable, printableJson } from "../../cli/printable.ts";
import { Refusal } from "../../cli/refusal.ts";
import { readOldDocument } from "../../store/write-document.ts";
import { describeSubject, storedText } from "../change-document.ts";
import { group, onTable } from "../command.ts";
import {
  type DocumentOptions,
  documentCommand,
  findDocument,
  findItem,
  placeInExamples,
  requireSubject,
  toSubject,
} from "../document-command.ts";
import { formatLeftOut } from "../left-out.ts";
import { documentHistoryCommand, documentUndoCommand } from "./document-history.ts";
import { removeCommand, setCommand } from "./document-set.ts";

const checkHelp = `Report what the served document lacks, or has otherwise than Burgee

The exit code is 1 if an SDK would evaluate a feature differently, or if the stored document lacks one, or has one that
Burgee lacks. It stays 0 for a feature of which flagd has nothing to serve: one without variants, or whose variants all
have weight 0.`;

export function documentCommands(): Command {
  return group("document", "Store, print, check, undo and remove the documents that SDKs load", [
    setCommand(),
    documentCommand("get", "Print the document that was stored, as it was stored, and its ETag", [
      [`document get ${placeInExamples}`, "to change it, and set it again"],
    ])
      .option("--change <id>", "that of an earlier change, which `document history` lists")
      .action(onTable(getDocument)),
    documentCommand("check", checkHelp, [
      [`document check ${placeInExamples}`, "what the SDKs do not see as it is in Burgee"],
    ]).action(onTable(checkDocument)),
    documentHistoryCommand(),
    documentUndoCommand(),
    removeCommand(),
  ]);
}

async function getDocument(session: Session, options: DocumentOptions & { change?: string }): Promise<void> {
  const subject = toSubject(options);
  const version = await findVersion(session, subject, options.change);
  const text = storedText(version);
  const { id, at, by } = version.changed;
  if (text === undefined)
    throw new Refusal(`the change ${id} left no document for ${describeSubject(subject)}`);
  note(`Stored ${at} by ${printable(by)}. Its ETag is ${id}.`);
  print(text.replace(/\r?\n$/, ""), printableJson);
}

async function findVersion(session: Session, subject: Subject, id?: string): Promise<DocumentVersion> {
  const stored = await (id === undefined ? findDocument : findItem)(session, subject);
  if (id === undefined || id === stored.changed.id) return stored;
  const old = stored.olderIds.includes(id) ? await readOldDocument(session, id) : undefined;
  if (old) return old;
  throw new Refusal(`the document for ${describeSubject(subject)} has no change "${id}" that is kept`);
}

async function checkDocument(session: Session, options: DocumentOptions): Promise<void> {
  const subject = toSubject(options);
  await requireSubject(session, subject);
  const { omissions, isStored } = await makeDocument(createReadStore(session), subject);
  if (omissions.countServedOtherwise() > 0) process.exitCode = exitCodes.failure;
  if (options.json) return printJson({ ...subject, isStored, leftOut: omissions.list() });
  if (!isStored)
    print(`No document is stored for ${describeSubject(subject)}: a feature that is on is on for everyone.`);
  const leftOut = omissions.list();
  print(leftOut.length > 0 ? formatLeftOut(leftOut, "not as stored") : "Nothing is left out.");
}
