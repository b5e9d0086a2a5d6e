/** `export [FILE]`: everything as a state file, or one environment as the document that an SDK loads. */
import path from "node:path";
import { type Command, Option } from "commander";
import { parseBase } from "../../../lib/documents/base-document.ts";
import { formatExactly } from "../../../lib/documents/exact-json.ts";
import type { Format, Scope, ServedFeature } from "../../../lib/documents/format.ts";
import { type FormatName, formats } from "../../../lib/documents/formats.ts";
import { createOmissions, type Omissions } from "../../../lib/documents/left-out.ts";
import type { Session } from "../../../lib/store/session.ts";
import { emptyName, readJsonText, sourceOf } from "../../cli/json-file.ts";
import { note, print } from "../../cli/output.ts";
import { Refusal, UsageError } from "../../cli/refusal.ts";
import { writeWhole } from "../../cli/write-whole.ts";
import { type Content, nameOfTwo, toState } from "../../store/content.ts";
import { readDocuments } from "../../store/read-content.ts";
import { type CommandOptions, command, onTable } from "../command.ts";
import { readAll, requireScope } from "../find.ts";
import { formatLeftOut } from "../left-out.ts";

interface ExportOptions extends CommandOptions, Partial<Scope> {
  as?: FormatName;
  into?: string;
  strict?: boolean;
}

const help = `Print all projects, features and API keys as a state file, or features for an SDK

The same content always gives the same text. The file has the hashes of API keys, as only these are stored;
applied elsewhere, it makes the same keys valid there.

With --as, print the features of one environment as the SDKs of flagd or Unleash load them. With --into, print
the document of that file with the variants of Burgee, and all else as the file has it: which features are on, for
whom, and by which strategies or targeting. Features that the file lacks are left out, and the variants in the file
stay where a feature has none. Without --into a feature that is on is on for everyone.

What the format cannot express, and what is removed from the file, is reported on the standard error. --strict needs
--into, and exports nothing if an SDK would evaluate a feature differently, if the file lacks one, or if it loses variants.`;

const onForEveryone =
  "a feature that is on is on for everyone: give --into FILE to keep the strategies of FILE";

export function exportCommand(): Command {
  return command("export", help, [
    ["export state.json", "save everything to a file"],
    ["export | jq '.features[].name'", "pipe it to another program"],
    [
      "export --as flagd --environment production --into flags.json flags.json",
      "update the variants in the flag definitions of flagd",
    ],
    [
      "export --as unleash --environment production --into old.json new.json",
      "the same for a document that Unleash's SDKs load",
    ],
  ])
    .argument("[file]", 'write to this file instead; "-" for standard output')
    .addOption(
      new Option("--as <format>", "print a document for an SDK instead").choices(Object.keys(formats)),
    )
    .option("--environment <name>", "with --as: the variants of this environment")
    .option("--project <id>", "with --as: only the features of this project")
    .option("--into <file>", 'with --as: replace the variants in this document; "-" for standard input')
    .option(
      "--strict",
      "with --into: export nothing if an SDK would evaluate a feature differently, or not at all",
    )
    .action(onTable(exportAll));
}

async function exportAll(session: Session, options: ExportOptions, file = "-"): Promise<void> {
  if (file === "") throw new UsageError(emptyName);
  const { as, environment, project, into, strict } = options;
  if (as !== undefined) return exportAs(formats[as], session, options, file);
  if ([environment, project, into, strict].some((option) => option !== undefined)) {
    throw new UsageError(
      "--environment, --project, --into and --strict need --as: a state file has everything",
    );
  }
  const all = await readAll(session);
  const twice = nameOfTwo(all.apiKeys);
  if (twice !== undefined) {
    throw new Refusal(
      `there are two keys "${twice}": a command is replacing one by the other, or was interrupted; run that one again first`,
    );
  }
  // It has the hashes of keys, so only its owner may read a new file.
  const documents = await readDocuments(session, all.projects);
  writeContent(toState({ ...all, documents, projects: completeProjects(all) }), file, 0o600);
}

/** A new environment is added to the features before their project: `apply` would refuse a file from in between. */
function completeProjects({ projects, features }: Content): Content["projects"] {
  const complete = new Map([...projects].map(([id, environments]) => [id, new Set(environments)]));
  for (const { project, environments } of features.values()) {
    for (const environment of environments.keys()) complete.get(project)?.add(environment);
  }
  return new Map([...complete].map(([id, environments]) => [id, [...environments]]));
}

async function exportAs(
  format: Format,
  session: Session,
  { environment, project, into, strict }: ExportOptions,
  file: string,
): Promise<void> {
  if (environment === undefined) {
    throw new UsageError("--as needs --environment: a document covers one environment");
  }
  if (into === undefined && strict) throw new Refusal(`nothing was exported: ${onForEveryone}`);
  const scope = { environment, project };
  const omissions = createOmissions();
  const features = selectFeatures(await readAll(session), scope, omissions);
  const document =
    into === undefined
      ? format.create(features, scope, omissions)
      : format.into(parseBase(format, await readJsonText(into), sourceOf(into)), features, omissions);
  if (into === undefined) note(`Note: ${onForEveryone}.`);
  const leftOut = omissions.list();
  if (leftOut.length > 0) note(formatLeftOut(leftOut, "not as stored"));
  const different = new Set(omissions.refusedByStrict().map(({ what }) => what));
  if (strict && different.size > 0) {
    const why = [...different].join(", ");
    throw new Refusal(`nothing was exported, because an SDK would evaluate a feature differently: ${why}`);
  }
  writeContent(document, file);
}

function selectFeatures(all: Content, scope: Scope, omissions: Omissions): ServedFeature[] {
  requireScope(all.projects, scope);
  const features = toState(all).features.filter(({ project }) => project === (scope.project ?? project));
  return features.flatMap(({ name, project, tags, environments = {} }) => {
    const { enabled = false, variants } = environments[scope.environment] ?? {};
    if (!variants) omissions.add("features", `not in environment "${scope.environment}"`, name);
    else if (tags.length > 0) omissions.add("tags", "the format has none", name);
    return variants ? [{ name, project, enabled, variants }] : [];
  });
}

function writeContent(content: object, file: string, mode?: number): void {
  if (file === "-") {
    print(formatExactly(content, 2));
    return;
  }
  try {
    writeWhole(file, `${formatExactly(content, 2)}\n`, mode);
  } catch (error) {
    throw new Refusal(`${file} cannot be written: ${(error as Error).message}`);
  }
  note(`Written to ${path.resolve(file)}.`);
}
