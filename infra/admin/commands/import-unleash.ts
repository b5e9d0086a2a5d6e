/** `import-unleash FILE...` */
import type { Command } from "commander";
import { createOmissions } from "../../../lib/documents/left-out.ts";
import { UsageError } from "../../cli/refusal.ts";
import type { Content } from "../../store/content.ts";
import { merge, type WantedState } from "../../store/merge.ts";
import { carryOut, printOutcome } from "../carry-out.ts";
import { action, type CommandOptions, command, reasonOption } from "../command.ts";
import { withTable } from "../place.ts";
import { convert } from "../unleash/convert.ts";
import { readExport } from "../unleash/read-export.ts";
import { readSegments, requireSegments } from "../unleash/strategies.ts";

const help = `Import the features that Unleash exported

Each file is what POST /api/admin/features-batch/export of Unleash responds with, for one environment, or the document that
its SDKs load, which has the order of strategies and the segments, but neither tags nor ids. A new project gets its
environments in the order of the files.

Nothing is removed. Variants and strategies that were changed here are changed back to those in the files. Strategies get
the constraints of their segments in place of these. What is left out is reported with the reason. Only differences are
written, so a second run continues after an interruption.`;

interface ImportOptions extends CommandOptions {
  segments?: string;
}

export function importUnleashCommand(): Command {
  return command("import-unleash", help, [
    ["import-unleash development.json production.json", "two environments, in this order"],
    ["import-unleash *.json --dry-run", "see the differences, and what would be left out"],
  ])
    .argument("<files...>", 'exports of Unleash; "-" for standard input')
    .option("--segments <file>", "the response of GET /api/admin/segments of Unleash")
    .option("--dry-run", "print the differences, and change nothing")
    .addOption(reasonOption())
    .action(action(importUnleash));
}

async function importUnleash(options: ImportOptions, files: string[]): Promise<void> {
  if (files.indexOf("-") !== files.lastIndexOf("-")) throw new UsageError('"-" can be given only once');
  const read = await Promise.all(files.map(readExport));
  const exports = read.map(({ exported }) => exported);
  const given = await readSegments(options.segments);
  const segments = new Map([...read.flatMap((one) => [...one.segments]), ...given]);
  requireSegments(exports, segments);
  const omissions = createOmissions();
  let wanted: WantedState | undefined;
  const toTarget = (now: Content) => {
    wanted ??= convert(exports, now, segments, omissions);
    return merge(now, inOrderOf(now, wanted));
  };
  await withTable(options, { mayCreate: true }, async (session) =>
    printOutcome(options, await carryOut(session, options, toTarget), omissions),
  );
}

/** New environments of a project come last. */
function inOrderOf({ projects }: Content, wanted: WantedState): WantedState {
  const ordered = wanted.projects.map(({ id, environments }) => {
    return { id, environments: [...new Set([...(projects.get(id) ?? []), ...environments])] };
  });
  return { ...wanted, projects: ordered };
}
