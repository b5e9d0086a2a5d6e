/** `import-flagd FILE` */
import { isDeepStrictEqual } from "node:util";
import type { Command } from "commander";
import { parseBase } from "../../../lib/documents/base-document.ts";
import { formatExactly } from "../../../lib/documents/exact-json.ts";
import { type FlagdDocument, flagd } from "../../../lib/documents/flagd.ts";
import type { Subject } from "../../../lib/documents/formats.ts";
import { createOmissions } from "../../../lib/documents/left-out.ts";
import { createReadStore } from "../../../lib/store/read-store.ts";
import { confirmed } from "../../cli/confirm.ts";
import { exitCodes } from "../../cli/explain.ts";
import { readJsonText, sourceOf } from "../../cli/json-file.ts";
import { print } from "../../cli/output.ts";
import { UsageError } from "../../cli/refusal.ts";
import { projectStateSchema } from "../../state/schemas.ts";
import { type Content, documentId } from "../../store/content.ts";
import { merge } from "../../store/merge.ts";
import { concurrentChange } from "../../store/replace-item.ts";
import { carryOut, printOutcome, readAllAndDocuments } from "../carry-out.ts";
import { type ChangeOptions, describeSubject } from "../change-document.ts";
import { action, command, reasonOption, requireValid } from "../command.ts";
import { changesNothing } from "../document-differences.ts";
import { convertFlags } from "../flagd/convert.ts";
import { type OperatorSession, withTable } from "../place.ts";
import { previewServed, serve, withConsequence } from "../preview-served.ts";
import { requireDocument } from "./document-set.ts";

interface ImportOptions extends ChangeOptions {
  project: string;
  environment: string;
}

const help = `Import a definition of flagd's flags into one environment

Each flag becomes a feature that is on unless its state is DISABLED. Its variants get the weights of the only "fractional"
in its targeting, or all weight goes to the variant that users get when no condition holds: the last result of an "if",
or the default variant. The definition is stored as the environment's document, with a mark at that place.

What Burgee cannot have, such as the variants of Boolean flags, stays in the document alone and is reported.

If features come, go or change for SDKs, it shows them and asks before it writes. Nothing is removed. Only differences
are written, so a second run continues after an interruption, and changes variants back to those of the file.`;

const place = "--project default --environment production";

export function importFlagdCommand(): Command {
  return command("import-flagd", help, [
    [`import-flagd flags.json ${place} --dry-run`, "see the differences, and what would be left out"],
    [`import-flagd flags.json ${place}`, "create what is missing, the project too"],
  ])
    .argument("<file>", 'the definition; "-" for standard input')
    .requiredOption("--project <id>", "the project")
    .requiredOption("--environment <name>", "the environment")
    .option("--dry-run", "print the differences, and change nothing")
    .option("--exit-code", "with --dry-run: exit with 3 if there are differences")
    .addOption(reasonOption())
    .option("-y, --yes", "do not ask")
    .action(action(importFlagd));
}

async function importFlagd(options: ImportOptions, file: string): Promise<void> {
  const { project, environment, exitCode, dryRun } = options;
  if (exitCode && !dryRun) throw new UsageError("--exit-code needs --dry-run");
  requireValid("project", projectStateSchema, { id: project, environments: [environment] });
  const subject: Subject = { format: "flagd", project, environment };
  const text = await readJsonText(file);
  requireDocument(subject, text, sourceOf(file));
  await withTable(options, { mayCreate: true }, (session) => importInto(session, options, subject, text));
}

async function importInto(
  session: OperatorSession,
  options: ImportOptions,
  subject: Subject,
  text: string,
): Promise<void> {
  const { dryRun, exitCode, json, yes } = options;
  const now = await readAllAndDocuments(session);
  const omissions = createOmissions();
  const given = parseBase(flagd, text, "the definition");
  const { wanted, document } = convertFlags(given, subject, now, omissions);
  const documents = [{ ...subject, document }];
  const stored = storedIn(now, subject);
  const shown = replacedIn(now, subject, document);
  const toTarget = (current: Content) => {
    // Refuses to replace what is no longer as the preview showed it.
    if (!yes && !isDeepStrictEqual(replacedIn(current, subject, document), shown)) throw concurrentChange();
    return merge(current, { ...wanted, documents });
  };
  const before = await serve(createReadStore(session), subject, stored);
  const after = await serve(readerOf(toTarget(now)), subject, formatExactly(document));
  const { differences, preview } = previewServed(subject.format, before, after);
  if (!dryRun && !changesNothing(differences)) {
    const question = withConsequence(`Import the flags of ${describeSubject(subject)}`, differences);
    await confirmed(question, { yes, what: preview });
  }
  const outcome = await carryOut(session, { ...options, yes: true }, toTarget, readAllAndDocuments);
  if (exitCode && outcome.writes.length > 0) process.exitCode = exitCodes.differences;
  printOutcome(options, outcome, omissions, { sdks: differences });
  if (dryRun && !json) print(`\n${preview}`);
}

/** What an import replaces: the stored document, and the flags' features in the environment. */
function replacedIn(content: Content, subject: Subject, { flags }: FlagdDocument) {
  const features = Object.keys(flags).map((name) =>
    content.features.get(name)?.environments.get(subject.environment),
  );
  return { document: storedIn(content, subject), features };
}

function storedIn({ documents }: Content, subject: Subject): string | undefined {
  return documents.get(documentId(subject))?.json;
}

/** Reads the content as it will be. */
function readerOf({ projects, features }: Content) {
  return {
    async readProject(id: string) {
      const environments = projects.get(id);
      return environments && { id, environments: [...environments] };
    },
    async readVariants(project: string, environment: string) {
      return [...features.values()].flatMap(({ name, project: of, environments }) => {
        const content = environments.get(environment);
        return content && of === project ? [{ name, project, ...content }] : [];
      });
    },
  };
}
