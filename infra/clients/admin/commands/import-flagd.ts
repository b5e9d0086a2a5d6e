/** Defines `import-flagd FILE`. */
import type { Command } from "commander";
import { summarise, validate } from "../../../../lib/contract/validate.ts";
import { createOmissions } from "../../../../lib/documents/omissions.ts";
import { exitCodes } from "../../../cli/explain.ts";
import { readJsonFile, sourceOf } from "../../../cli/json-file.ts";
import { Refusal } from "../../../cli/refusal.ts";
import { projectStateSchema } from "../../../state/state-file-schemas.ts";
import type { TableContent } from "../../../store/content.ts";
import { merge, type WantedState } from "../../../store/merge.ts";
import {
  action,
  type CommandOptions,
  command,
  reasonOption,
  requireDryRun,
  requireValid,
} from "../command.ts";
import { convertFlags, definitionSchema } from "../flagd/convert.ts";
import { applyContent, printOutcome } from "../table/apply-content.ts";
import { withTable } from "../table/with-table.ts";

interface ImportOptions extends CommandOptions {
  project: string;
  environment: string;
  exitCode?: boolean;
}

const help = `Import a definition of flagd's flags into one environment

Each flag becomes a feature that is on unless its state is DISABLED. If the targeting is absent, or only a "fractional" of
the variants, the variants get weights. Any other targeting stays as it is, with each $evaluators reference replaced by its
rule.

Nothing is removed. Features that differ from the file are changed to what the file has. Only differences are written, so a
second run continues after an interruption.`;

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
    .option("-y, --yes", "do not ask before an existing feature is switched on or off")
    .option("--exit-code", "with --dry-run: exit with 3 if there are differences")
    .addOption(reasonOption())
    .action(action(importFlagd));
}

async function importFlagd(options: ImportOptions, file: string): Promise<void> {
  const { project, environment, exitCode } = options;
  requireDryRun(options);
  requireValid("project", projectStateSchema, { id: project, environments: [environment] });
  const { value: definition, issues } = validate(definitionSchema, await readJsonFile(file));
  if (issues)
    throw new Refusal(`${sourceOf(file)} is not a definition of flagd's flags: ${summarise(issues)}`);
  const omissions = createOmissions();
  let wanted: WantedState | undefined;
  const toWanted = (now: TableContent) => {
    wanted ??= convertFlags(definition, { project, environment }, now, omissions);
    const known = now.projects.get(project) ?? [];
    const projects = [{ id: project, environments: [...new Set([...known, environment])] }];
    return merge(now, { ...wanted, projects });
  };
  await withTable(options, { mayCreate: true }, async (session) => {
    const outcome = await applyContent(session, options, toWanted);
    if (exitCode && outcome.writes.length > 0) process.exitCode = exitCodes.differences;
    printOutcome(options, outcome, omissions);
  });
}
