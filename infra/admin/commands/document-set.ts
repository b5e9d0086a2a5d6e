/** `document set | remove` */
import type { Command } from "commander";
import type { Subject } from "../../../lib/documents/formats.ts";
import type { DocumentItem } from "../../../lib/store/items.ts";
import { readJsonText, sourceOf } from "../../cli/json-file.ts";
import { Refusal } from "../../cli/refusal.ts";
import { documentStateIssue } from "../../state/document-state-issue.ts";
import { readDocumentItem, removeDocument, writeDocument } from "../../store/write-document.ts";
import { changeDocument, describeSubject } from "../change-document.ts";
import { onTable } from "../command.ts";
import {
  changeCommand,
  type DocumentOptions,
  findDocument,
  placeInExamples,
  requireSubject,
  toSubject,
} from "../document-command.ts";
import type { OperatorSession } from "../place.ts";

const setHelp = `Store what else is in the document that SDKs load

The file says for whom features are on, and by which strategies or targeting, in the form that the SDKs load. The
served document is that one with the variants of Burgee merged into it, by the rules of "export --into". What cannot
be merged stays as the file has it, and is reported. Without a stored document a feature that is on is on for everyone.

Before it writes, it shows which features come, go and change for SDKs, and asks. It refuses the document of another
environment or project, and one that was changed since --if-match, or since it was shown.

The last 20 documents are kept for 30 days: "document history" lists them, "document undo" restores them.`;

export function setCommand(): Command {
  return changeCommand("set", setHelp, [
    [
      `document set flags.json ${placeInExamples}`,
      "the targeting of flags.json, with the variants of Burgee",
    ],
    [
      `document set flags.json ${placeInExamples} --dry-run`,
      "which features would come, go and change for SDKs",
    ],
  ])
    .argument("<file>", 'the document; "-" for standard input')
    .option("--if-match <etag>", "only where the stored document is the one that `document get` printed")
    .action(onTable(setDocument));
}

export function removeCommand(): Command {
  const help = "Remove the stored document: a feature that is on is on for everyone then";
  return changeCommand("remove", help, [
    [`document remove ${placeInExamples}`, "asks for confirmation"],
  ]).action(onTable(removeStored));
}

async function setDocument(
  session: OperatorSession,
  options: DocumentOptions & { ifMatch?: string },
  file: string,
): Promise<void> {
  const subject = toSubject(options);
  await requireSubject(session, subject);
  const text = await readJsonText(file);
  requireDocument(subject, text, sourceOf(file));
  const stored = await readDocumentItem(session, subject);
  if (options.ifMatch !== undefined) requireMatch(stored, options.ifMatch);
  await changeDocument(session, options, {
    subject,
    stored,
    text,
    question: `Store the document for ${describeSubject(subject)}`,
    done: `Stored the document for ${describeSubject(subject)}`,
    write: (stamp) => writeDocument(session, subject, { stored, json: text, stamp }),
  });
}

export function requireDocument(subject: Subject, text: string, source: string): void {
  const issue = documentStateIssue(subject, text);
  if (issue !== undefined) throw new Refusal(`${source} ${issue}`);
}

function requireMatch(stored: DocumentItem | undefined, given: string): void {
  const etag = given.replace(/^"(.*)"$/, "$1");
  if (stored?.changed.id === etag) return;
  const why = stored
    ? `its ETag is ${stored.changed.id} since ${stored.changed.at}, by ${stored.changed.by}`
    : "no document was ever stored";
  throw new Refusal(`the document is not the one with the ETag ${etag}: ${why}; get it again`);
}

async function removeStored(session: OperatorSession, options: DocumentOptions): Promise<void> {
  const subject = toSubject(options);
  const stored = await findDocument(session, subject);
  await changeDocument(session, options, {
    subject,
    stored,
    text: undefined,
    question: `Remove the document for ${describeSubject(subject)}`,
    done: `Removed the document for ${describeSubject(subject)}`,
    write: (stamp) => removeDocument(session, subject, { stored, stamp }),
  });
}
