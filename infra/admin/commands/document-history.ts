/** `document history | undo` */
import type { Command } from "commander";
import { formats } from "../../../lib/documents/formats.ts";
import type { Session } from "../../../lib/store/session.ts";
import { print, printJson } from "../../cli/output.ts";
import { printable } from "../../cli/printable.ts";
import { Refusal } from "../../cli/refusal.ts";
import { readOldDocument, readOldDocuments, restoreDocument } from "../../store/write-document.ts";
import { changeDocument, describeSubject, storedText } from "../change-document.ts";
import { onTable } from "../command.ts";
import {
  changeCommand,
  type DocumentOptions,
  documentCommand,
  findItem,
  placeInExamples,
  toSubject,
} from "../document-command.ts";
import { compareDocuments, formatDifferences } from "../document-differences.ts";
import type { OperatorSession } from "../place.ts";

const historyHelp = `List the stored documents, newest first

Those are the last 20 of 30 days, and what each changed. With --json, print the same for a script.`;

const undoHelp = `Take back the newest change of the stored document

By default, undo the newest change that is in effect: run again, it goes another step back. A removal is a change like
any other. An undo cannot be undone: "document get --change" prints any document that is kept, to set it again.`;

export function documentHistoryCommand(): Command {
  return documentCommand("history", historyHelp, [
    [`document history ${placeInExamples}`, "who changed it, when, why, and what changed"],
  ]).action(onTable(showHistory));
}

export function documentUndoCommand(): Command {
  return changeCommand("undo", undoHelp, [
    [`document undo ${placeInExamples}`, "shows what it will do, and asks"],
  ])
    .argument("[change]", "the id of the change: refused if it is not the newest in effect")
    .action(onTable(undoChange));
}

async function showHistory(session: Session, options: DocumentOptions): Promise<void> {
  const subject = toSubject(options);
  const stored = await findItem(session, subject);
  const versions = [stored, ...(await readOldDocuments(session, stored))];
  const format = formats[subject.format];
  const changes = versions.map((version, index) => {
    const { id, at, by, reason } = version.changed;
    const [before, after] = [storedText(versions[index + 1]), storedText(version)];
    // What the oldest one has changed is not known, unless it was the first.
    const isKnown = index + 1 < versions.length || version.top?.before === null;
    return {
      id,
      by,
      at,
      ...(reason && { reason }),
      ...(version.undoes !== undefined && { undoes: version.undoes }),
      isStored: after !== undefined,
      ...(isKnown && { differences: compareDocuments(format, before, after) }),
      canUndo: id === stored.top?.id,
    };
  });
  if (options.json) return printJson({ ...subject, changes });
  for (const change of changes) {
    const undone = change.undoes === undefined ? "" : `, undoes ${change.undoes}`;
    const why = change.reason === undefined ? "" : `: ${change.reason}`;
    print(printable(`${change.id}  ${change.at} by ${change.by}${undone}${why}`));
    const what = change.differences ? formatDifferences(change.differences) : "";
    const lines = change.isStored ? what : "no document: a feature that is on is on for everyone";
    print((lines || "no difference").replaceAll(/^/gm, "    "));
  }
}

async function undoChange(
  session: OperatorSession,
  options: DocumentOptions,
  change?: string,
): Promise<void> {
  const subject = toSubject(options);
  const stored = await findItem(session, subject);
  const { top } = stored;
  if (!top) throw new Refusal(`the document for ${describeSubject(subject)} has no change to undo`);
  const { id, before } = top;
  if (change !== undefined && change !== id) {
    throw new Refusal(
      `the newest change of the document for ${describeSubject(subject)} is ${id}, not ${change}`,
    );
  }
  const old = before === null ? undefined : await readOldDocument(session, before);
  if (before !== null && !old) {
    throw new Refusal(`what was there before ${id} is not kept any more: it is older than 30 days`);
  }
  await changeDocument(session, options, {
    subject,
    stored,
    text: storedText(old),
    question: `Undo the change ${id} of the document for ${describeSubject(subject)}`,
    done: `Undid the change ${id} of the document for ${describeSubject(subject)}`,
    write: (stamp) => restoreDocument(session, subject, { stored, old, stamp }),
  });
}
