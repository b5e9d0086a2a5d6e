/** Defines `export [FILE]`: everything as a state file, or one environment as the document that an SDK loads. */
import path from "node:path";
import { type Command, Option } from "commander";
import { compareCodePoints } from "../../../../lib/code-points.ts";
import type { DocumentScope, Format, ServedFeature } from "../../../../lib/documents/format.ts";
import { createOmissions, type Omissions } from "../../../../lib/documents/omissions.ts";
import { type FormatName, formats } from "../../../../lib/documents/sdk-document.ts";
import { emptyName } from "../../../cli/json-file.ts";
import { note, print } from "../../../cli/output.ts";
import { Refusal, UsageError } from "../../../cli/refusal.ts";
import { writeWhole } from "../../../cli/write-whole.ts";
import { inOrder, nameOfTwo, type TableContent, toState } from "../../../store/content.ts";
import { withApi } from "../api/open-api.ts";
import { readContentOfApi } from "../api/read-content.ts";
import { action, type CommandOptions, command } from "../command.ts";
import { requireScope } from "../require-scope.ts";
import { readAll } from "../table/find.ts";
import { withTable } from "../table/with-table.ts";
import { formatLeftOut } from "../words/left-out.ts";

interface ExportOptions extends CommandOptions, Partial<DocumentScope> {
  as?: FormatName;
  strict?: boolean;
}

const help = `Print all projects, features and API keys as a state file, or features for an SDK

The same content always gives the same text. The file has the hashes of API keys, as only these are stored;
applied elsewhere, it makes the same keys valid there. With --url it has the projects and features that the API key may
read, and no keys.

With --as, print the features of one environment as the SDKs of flagd or Unleash load them. What the format cannot
express is reported on the standard error; with --strict nothing is exported then.`;

export function exportCommand(): Command {
  return command("export", help, [
    ["export state.json", "save everything to a file"],
    ["export | jq '.features[].name'", "pipe it to another program"],
    ["export --as flagd --environment production flags.json", "make the flag definitions of flagd"],
  ])
    .argument("[file]", 'write to this file instead; "-" for standard output')
    .addOption(
      new Option("--as <format>", "print a document for an SDK instead").choices(Object.keys(formats)),
    )
    .option("--environment <name>", "with --as: the variants of this environment")
    .option("--project <id>", "with --as or --url: only the features of this project")
    .option("--strict", "with --as: export nothing if an SDK would evaluate a feature differently")
    .action(action(exportAll));
}

async function exportAll(options: ExportOptions, file = "-"): Promise<void> {
  if (file === "") throw new UsageError(emptyName);
  const { as, environment, project, strict, url } = options;
  if (as !== undefined) return exportAs(formats[as], options, file);
  if (environment !== undefined)
    throw new UsageError("--environment needs --as: a state file has all environments");
  if (strict) throw new UsageError("--strict needs --as: a state file leaves nothing out");
  if (project !== undefined && url === undefined)
    throw new UsageError("--project needs --as or --url: a state file of a table has all projects");
  const all = await readEverything(options);
  const twice = nameOfTwo(all.apiKeys);
  if (twice !== undefined) {
    throw new Refusal(
      `there are two keys "${twice}": a command is replacing one by the other, or was interrupted; run that one again first`,
    );
  }
  const { apiKeys, ...state } = toState({ ...all, projects: completeProjects(all) });
  // The state has the hashes of keys, so only the owner may read a new file.
  if (url === undefined) return writeContent({ ...state, apiKeys }, file, 0o600);
  // The file lacks the list of keys, so that `apply --prune` removes no key.
  writeContent(state, file);
}

function readEverything(options: ExportOptions): Promise<TableContent> {
  if (options.url === undefined) return withTable(options, { mayCreate: false }, readAll);
  return withApi(options, (api) => readContentOfApi(api, options.project));
}

/** Adds the environments that only features have: a new one is added to them before their project, and `apply` would refuse that file. */
function completeProjects({ projects, features }: TableContent): TableContent["projects"] {
  const complete = new Map([...projects].map(([id, environments]) => [id, new Set(environments)]));
  for (const { project, environments } of features.values()) {
    for (const environment of environments.keys()) complete.get(project)?.add(environment);
  }
  return new Map([...complete].map(([id, environments]) => [id, [...environments]]));
}

async function exportAs(format: Format, options: ExportOptions, file: string): Promise<void> {
  const { environment, project, strict } = options;
  if (environment === undefined) {
    throw new UsageError("--as needs --environment: a document covers one environment");
  }
  const scope = { environment, project };
  const omissions = createOmissions();
  const features = selectFeatures(await readEverything(options), scope, omissions);
  const document = format(features, scope, omissions);
  const leftOut = omissions.list();
  if (leftOut.length > 0) note(formatLeftOut(leftOut, "not as stored"));
  const different = new Set(omissions.listDecisive().map(({ what }) => what));
  if (strict && different.size > 0) {
    const why = [...different].join(", ");
    throw new Refusal(`nothing was exported, because an SDK would evaluate a feature differently: ${why}`);
  }
  writeContent(document, file);
}

function selectFeatures(all: TableContent, scope: DocumentScope, omissions: Omissions): ServedFeature[] {
  requireScope(all.projects, scope);
  const features = [...all.features.values()].filter(({ project }) => project === (scope.project ?? project));
  const sorted = features.sort((left, right) => compareCodePoints(left.name, right.name));
  return sorted.flatMap(({ name, project, tags, environments }) => {
    const content = environments.get(scope.environment);
    if (!content)
      omissions.add({ what: "environments", why: `not in environment "${scope.environment}"`, which: name });
    if (content && tags.length > 0) omissions.add({ what: "tags", why: "the format has none", which: name });
    // Without them an import would have a feature for everyone, if it has no other strategies.
    if (content?.strategies.some(({ disabled }) => disabled)) {
      omissions.add({ what: "disabled strategies", why: "the format has none", which: name });
    }
    return content ? [{ name, project, ...content, variants: content.variants.map(inOrder) }] : [];
  });
}

function writeContent(content: object, file: string, mode?: number): void {
  if (file === "-") {
    print(JSON.stringify(content, null, 2));
    return;
  }
  try {
    writeWhole(file, `${JSON.stringify(content, null, 2)}\n`, mode);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new Refusal(`${file} cannot be written: ${code === "EISDIR" ? "it is a folder" : message}`);
  }
  note(`Written to ${path.resolve(file)}.`);
}
