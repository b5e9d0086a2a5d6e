/** `document set | get | check | remove` */
import { type Command, Option } from "commander";
import { limits } from "../../../lib/contract/limits.ts";
import { parseBase, requireSafeNames } from "../../../lib/documents/base-document.ts";
import { makeDocument, type Subject } from "../../../lib/documents/document.ts";
import { type FormatName, formats } from "../../../lib/documents/formats.ts";
import { countServedOtherwise, type Omissions } from "../../../lib/documents/left-out.ts";
import { unpack } from "../../../lib/store/base-documents.ts";
import type { DocumentItem } from "../../../lib/store/items.ts";
import { createReadStore } from "../../../lib/store/read-store.ts";
import type { Session } from "../../../lib/store/session.ts";
import { confirmed } from "../../cli/confirm.ts";
import { exitCodes } from "../../cli/explain.ts";
import { readJsonText, sourceOf } from "../../cli/json-file.ts";
import { note, print, printJson } from "../../cli/output.ts";
import { printable, printableJson } from "../../cli/printable.ts";
import { Refusal } from "../../cli/refusal.ts";
import { readProjects } from "../../store/read-content.ts";
import { removeItem } from "../../store/replace-item.ts";
import { readDocumentItem, writeDocument } from "../../store/write-document.ts";
import { command, group, type Options, onTable } from "../command.ts";
import { requireScope } from "../find.ts";
import { formatLeftOut } from "../left-out.ts";
import type { OperatorSession } from "../place.ts";

interface DocumentOptions extends Options {
  as: FormatName;
  project: string;
  environment: string;
}

const setHelp = `Store what else is in the document that SDKs load

The file says which features are on, for whom, and by which strategies or targeting, in the form that the SDKs load.
The served document is that one with the variants of Burgee merged into it, by the rules of "export --into". What
cannot be merged stays as the file has it, and is reported. Without a stored document every served feature is on, for
everyone.

State files have no documents. A removed project keeps its documents: "document remove" removes them.`;

const checkHelp = `Report what the served document lacks, or has otherwise than Burgee

The exit code is 1 if an SDK would evaluate a feature differently, or if the stored document lacks one. It stays 0 for a
feature of which flagd has nothing to serve: one without variants, or whose variants all have weight 0.`;

const place = "--as flagd --project default --environment production";

export function documentCommands(): Command {
  return group("document", "Store, print, check and remove the documents that SDKs load", [
    documentCommand("set", setHelp, [
      [`document set flags.json ${place}`, "the targeting of flags.json, with the variants of Burgee"],
    ])
      .argument("<file>", 'the document; "-" for standard input')
      .action(onTable(setDocument)),
    documentCommand("get", "Print the document that was stored, as it was stored", [
      [`document get ${place}`, "to change it, and set it again"],
    ]).action(onTable(getDocument)),
    documentCommand("check", checkHelp, [
      [`document check ${place}`, "what the SDKs do not see as it is in Burgee"],
    ]).action(onTable(checkDocument)),
    documentCommand("remove", "Remove the stored document: every served feature is on then, for everyone", [
      [`document remove ${place}`, "asks for confirmation"],
    ])
      .option("-y, --yes", "do not ask")
      .action(onTable(removeStored)),
  ]);
}

function documentCommand(...given: Parameters<typeof command>): Command {
  return command(...given)
    .addOption(
      new Option("--as <format>", "the SDKs that load it")
        .choices(Object.keys(formats))
        .makeOptionMandatory(),
    )
    .requiredOption("--project <id>", "the project")
    .requiredOption("--environment <name>", "the environment");
}

async function setDocument(session: OperatorSession, options: DocumentOptions, file: string): Promise<void> {
  const subject = toSubject(options);
  await requireSubject(session, subject);
  const text = await readJsonText(file);
  const source = sourceOf(file);
  if (Buffer.byteLength(text) > limits.documentBytes) {
    throw new Refusal(`${source} is larger than ${limits.documentBytes / 1024 ** 2} MiB`);
  }
  requireSafeNames(text, source);
  parseBase(formats[subject.format], text, source);
  // Merges as the function read will.
  const reader = { ...createReadStore(session), readBase: async () => text };
  const { omissions } = await makeDocument(reader, subject);
  await writeDocument(session, subject, text, session.newStamp());
  if (options.json) return printJson({ ...subject, leftOut: omissions.list() });
  print(`Stored the document for ${describe(subject)}.`);
  reportLeftOut(omissions);
}

async function getDocument(session: Session, options: DocumentOptions): Promise<void> {
  const { changed, ...stored } = await findDocument(session, toSubject(options));
  note(`Stored ${changed.at} by ${printable(changed.by)}.`);
  print(unpack({ changed, ...stored }).replace(/\r?\n$/, ""), printableJson);
}

async function checkDocument(session: Session, options: DocumentOptions): Promise<void> {
  const subject = toSubject(options);
  await requireSubject(session, subject);
  const { omissions, hasBase } = await makeDocument(createReadStore(session), subject);
  if (countServedOtherwise(omissions) > 0) process.exitCode = exitCodes.failure;
  if (options.json) return printJson({ ...subject, isStored: hasBase, leftOut: omissions.list() });
  if (!hasBase)
    print(`No document is stored for ${describe(subject)}: every served feature is on, for everyone.`);
  reportLeftOut(omissions);
}

async function removeStored(session: Session, options: DocumentOptions): Promise<void> {
  const subject = toSubject(options);
  const stored = await findDocument(session, subject);
  const question = `Remove the document for ${describe(subject)}, so that every served feature is on, for everyone?`;
  await confirmed(question, { yes: options.yes });
  await removeItem(session, stored);
  if (options.json) printJson({ removed: subject });
  else print(`Removed the document for ${describe(subject)}.`);
}

function toSubject({ as, project, environment }: DocumentOptions): Subject {
  return { format: as, project, environment };
}

async function requireSubject(session: Session, { project, environment }: Subject): Promise<void> {
  requireScope(await readProjects(session), { project, environment });
}

/** Finds it even if its project or environment was removed. */
async function findDocument(session: Session, subject: Subject): Promise<DocumentItem> {
  const stored = await readDocumentItem(session, subject);
  if (stored) return stored;
  await requireSubject(session, subject);
  throw new Refusal(`no document is stored for ${describe(subject)}`);
}

function describe({ format, project, environment }: Subject): string {
  return printable(`${format} in environment "${environment}" of project "${project}"`);
}

function reportLeftOut(omissions: Omissions): void {
  const leftOut = omissions.list();
  print(leftOut.length > 0 ? formatLeftOut(leftOut, "not as stored") : "Nothing is left out.");
}
