/** What the commands on stored documents have in common: their options, and the document that they name. */
import { type Command, Option } from "commander";
import { type FormatName, formats, type Subject } from "../../lib/documents/formats.ts";
import type { DocumentItem } from "../../lib/store/items.ts";
import type { Session } from "../../lib/store/session.ts";
import { Refusal } from "../cli/refusal.ts";
import { readProjects } from "../store/read-content.ts";
import { readDocumentItem } from "../store/write-document.ts";
import { type ChangeOptions, describeSubject } from "./change-document.ts";
import { command, reasonOption } from "./command.ts";
import { requireScope } from "./find.ts";

export interface DocumentOptions extends ChangeOptions {
  as: FormatName;
  project: string;
  environment: string;
}

/** For examples. */
export const placeInExamples = "--as flagd --project default --environment production";

export function documentCommand(...given: Parameters<typeof command>): Command {
  return command(...given)
    .addOption(
      new Option("--as <format>", "the SDKs that load it")
        .choices(Object.keys(formats))
        .makeOptionMandatory(),
    )
    .requiredOption("--project <id>", "the project")
    .requiredOption("--environment <name>", "the environment");
}

export function changeCommand(...given: Parameters<typeof command>): Command {
  return documentCommand(...given)
    .option("--dry-run", "print which features would come, go and change for SDKs, and change nothing")
    .option("--exit-code", "with --dry-run: exit with 3 if the document would change")
    .addOption(reasonOption())
    .option("-y, --yes", "do not ask");
}

export function toSubject({ as, project, environment }: DocumentOptions): Subject {
  return { format: as, project, environment };
}

export async function requireSubject(session: Session, { project, environment }: Subject): Promise<void> {
  requireScope(await readProjects(session), { project, environment });
}

/** Finds it even if its project or environment was removed. */
export async function findDocument(session: Session, subject: Subject): Promise<DocumentItem> {
  const stored = await findItem(session, subject);
  if (stored.gzip !== undefined) return stored;
  throw notStored(subject);
}

/** After a removal too. */
export async function findItem(session: Session, subject: Subject): Promise<DocumentItem> {
  const stored = await readDocumentItem(session, subject);
  if (stored) return stored;
  await requireSubject(session, subject);
  throw notStored(subject);
}

function notStored(subject: Subject): Refusal {
  return new Refusal(`no document is stored for ${describeSubject(subject)}`);
}
