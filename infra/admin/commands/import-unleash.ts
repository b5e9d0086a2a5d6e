/** `import-unleash FILE...` */
import type { Command } from "commander";
import { UsageError } from "../../refusal.ts";
import { carryOut } from "../carry-out.ts";
import { action, command, type Options } from "../command.ts";
import { withTable } from "../place.ts";
import { planChanges } from "../plan/changes.ts";
import { toContent } from "../plan/content.ts";
import { merge } from "../plan/merge.ts";
import { requireConsistent } from "../plan/require-consistent.ts";
import { readAll } from "../read-all.ts";
import { print } from "../terminal/output.ts";
import { convert } from "../unleash/convert.ts";
import { createOmissions, formatLeftOut } from "../unleash/left-out.ts";
import { reportNotKept } from "../unleash/not-kept.ts";
import { readExport } from "../unleash/read-export.ts";

const details = `
Each file is what POST /api/admin/features-batch/export of Unleash responds with, for one environment. Features
are imported with their project, tags, environments and variants. A new project gets its environments in the
order of the files; an existing one keeps its order, and new environments come last.

Nothing is removed. Variants that were changed here are changed back to those in the files. What is left out
is reported with the reason; a list of variants is imported as a whole or not at all. Only differences are
written, so the command can be run again, and continues after an interruption.`;

export function importUnleashCommand(): Command {
  return command("import-unleash", "Import the features that Unleash exported", {
    details,
    examples: [
      ["import-unleash development.json production.json", "two environments, in this order"],
      ["import-unleash *.json --dry-run", "see what would change, and what would be left out"],
    ],
  })
    .argument("<files...>", 'exports of Unleash; "-" for standard input')
    .option("--dry-run", "print the differences, and change nothing")
    .action(action(importUnleash));
}

async function importUnleash(options: Options, files: string[]): Promise<void> {
  if (files.indexOf("-") !== files.lastIndexOf("-")) throw new UsageError('"-" can be given only once');
  const exports = await Promise.all(files.map(readExport));
  await withTable(
    options,
    async (session) => {
      const stored = await readAll(session);
      const now = toContent(stored);
      const omissions = createOmissions();
      const wanted = convert(exports, now, omissions);
      for (const one of exports) reportNotKept(one, omissions);
      const target = merge(now, wanted);
      requireConsistent(now, target);
      const leftOut = omissions.list();
      await carryOut(session, planChanges(stored, target), options, { leftOut });
      if (!options.json) print(formatLeftOut(leftOut));
    },
    { mayCreate: true },
  );
}
