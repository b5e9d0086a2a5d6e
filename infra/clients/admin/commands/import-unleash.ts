/** Defines `import-unleash`. */
import type { Command } from "commander";
import { createOmissions } from "../../../../lib/documents/omissions.ts";
import { didYouMeanOr } from "../../../cli/did-you-mean.ts";
import { RepeatableOption, toUnleashAddress } from "../../../cli/options.ts";
import { printable } from "../../../cli/printable.ts";
import { Refusal, UsageError } from "../../../cli/refusal.ts";
import type { TableContent } from "../../../store/content.ts";
import { merge, type WantedState } from "../../../store/merge.ts";
import { action, type CommandOptions, command, reasonOption } from "../command.ts";
import { applyContent, printOutcome } from "../table/apply-content.ts";
import { withTable } from "../table/with-table.ts";
import { convert } from "../unleash/convert.ts";
import { readFiles } from "../unleash/read-files.ts";
import { type Contents, projectsOf, readContents } from "../unleash/read-server.ts";
import { openUnleash, type UnleashServer } from "../unleash/server.ts";

const help = `Import the features of Unleash, with their tags, switches, variants and strategies

With --from it reads them from the server, with the token in UNLEASH_TOKEN: all projects that the token can see, or one.

Otherwise each file is what POST /api/admin/features-batch/export of Unleash responds with, for one environment, or the
document that its SDKs load, which has neither tags nor ids. A new project gets its environments in the order of the files.
An export does not say which features are on: give the response of GET /api/admin/projects/{projectId}/features, or the
document of SDKs, as --switches.

Nothing is removed. Features that differ from Unleash are changed to what Unleash has. A strategy's segments are replaced by
their constraints. Whatever is left out is reported with the reason. Only differences are written, so a second run continues
after an interruption.`;

interface ImportOptions extends CommandOptions {
  from?: string;
  project?: string;
  segments?: string;
  switches?: string[];
}

export function importUnleashCommand(): Command {
  return command("import-unleash", help, [
    [
      "import-unleash --from https://unleash.example.com --dry-run",
      "see the differences, and what would be left out",
    ],
    ["import-unleash --from https://unleash.example.com --project default", "one project"],
    [
      "import-unleash development.json production.json --switches features.json",
      "two environments, in this order",
    ],
  ])
    .argument("[files...]", 'exports of Unleash; "-" for standard input')
    .option("--from <url>", "the address of Unleash, without /api", toUnleashAddress)
    .option("--project <id>", "with --from: only this project")
    .addOption(
      new RepeatableOption("--switches <file>", "which features are on; repeatable").argParser(
        (file, all: string[] = []) => [...all, file],
      ),
    )
    .option("--segments <file>", "the response of GET /api/admin/segments of Unleash")
    .option("--dry-run", "print the differences, and change nothing")
    .option("-y, --yes", "do not ask before an existing feature is switched on or off")
    .addOption(reasonOption())
    .action(action(importUnleash));
}

async function importUnleash(options: ImportOptions, files: string[]): Promise<void> {
  const { exports, segments } = await read(options, files);
  const omissions = createOmissions();
  let wanted: WantedState | undefined;
  const toWanted = (now: TableContent) => {
    wanted ??= convert(exports, now, segments, omissions);
    return merge(now, inOrderOf(now, wanted));
  };
  await withTable(options, { mayCreate: true }, async (session) =>
    printOutcome(options, await applyContent(session, options, toWanted), omissions),
  );
}

function read({ from, project, switches = [], segments }: ImportOptions, files: string[]): Promise<Contents> {
  if (from === undefined) {
    if (files.length === 0) throw new UsageError("give the address of Unleash as --from, or files");
    if (project !== undefined) throw new UsageError("--project needs --from");
    return readFiles({ files, switches, segments });
  }
  if (files.length + switches.length > 0 || segments !== undefined) {
    throw new UsageError("--from reads everything from the server: give no files");
  }
  return readFrom(openUnleash(from), project);
}

async function readFrom(server: UnleashServer, project?: string): Promise<Contents> {
  if (project !== undefined) await requireProject(server, project);
  const contents = await readContents(server, project === undefined ? await projectsOf(server) : [project]);
  if (contents.exports.length > 0) return contents;
  const where = project === undefined ? "" : ` in project "${printable(project)}"`;
  throw new Refusal(`${server.address} has no features${where}`);
}

/** A server may respond with an empty list for a project that it does not have. */
async function requireProject(server: UnleashServer, project: string): Promise<void> {
  // A token that may not list projects may read one.
  const known = await projectsOf(server).catch(() => [project]);
  if (known.includes(project)) return;
  const advice = didYouMeanOr(project, known, "it has");
  throw new Refusal(`${server.address} has no project "${project}"${advice}`);
}

/** New environments of a project come last. */
function inOrderOf({ projects }: TableContent, wanted: WantedState): WantedState {
  const ordered = wanted.projects.map(({ id, environments }) => {
    return { id, environments: [...new Set([...(projects.get(id) ?? []), ...environments])] };
  });
  return { ...wanted, projects: ordered };
}
