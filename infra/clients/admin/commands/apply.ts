/** Defines `apply FILE`. */
import type { Command } from "commander";
import { exitCodes } from "../../../cli/explain.ts";
import { sourceOf } from "../../../cli/json-file.ts";
import { checkState, readState } from "../../../state/state-file.ts";
import type { State } from "../../../state/state-file-schemas.ts";
import { merge } from "../../../store/merge.ts";
import { action, type CommandOptions, command, reasonOption, requireDryRun } from "../command.ts";
import { applyContent, printOutcome } from "../table/apply-content.ts";
import { requireStrongKeys } from "../table/key-strength.ts";
import { withTable } from "../table/with-table.ts";

interface ApplyOptions extends CommandOptions {
  prune?: boolean;
  exitCode?: boolean;
}

const help = `Create and update what a state file describes

Without --prune, whatever the file lacks stays. A member of an environment that the file omits ("enabled", "variants",
"strategies", "dependencies", "targeting") stays even with --prune; a list that the file has replaces the stored list, and
the command asks if that leaves none. A feature without "environments" gets all environments of its project. Weights are
stored as given; those that the next patch would change are reported.

The file lists the projects of its features, each with all of its environments, even to switch one feature. Their order is
the order in which a request writes them; environments that the file lacks come after those that it has, and are removed
with --prune.

With --prune, the command removes what the lists of the file lack. A list that the file does not have stays, so a file
without "apiKeys" never removes a key.

With or without --prune, a key that the file replaces by another of the same name is revoked.

With --dry-run --exit-code, the exit code is 0 if there are no differences, and 3 if there are some. Only differences
are written, so the command can be run again at any time.`;

export function applyCommand(): Command {
  return command("apply", help, [
    ["apply state.json --dry-run", "see the differences"],
    ["apply state.json --dry-run --exit-code", "fail in a pipeline if there are differences"],
    ["apply state.json --prune", "remove what the file lacks"],
    ["--data here export | burgee --data there apply -", "copy from one place to another"],
  ])
    .argument("<file>", 'the state file; "-" for standard input')
    .option("--prune", "remove what the file lacks")
    .option("--dry-run", "print the differences, and change nothing")
    .option("--exit-code", "with --dry-run: exit with 3 if there are differences")
    .addOption(reasonOption())
    .option("-y, --yes", "do not ask before removing, emptying, revoking or switching")
    .action(action(apply));
}

async function apply(options: ApplyOptions, file: string): Promise<void> {
  requireDryRun(options);
  const input = await readState(file);
  const state = checkState(input, sourceOf(file));
  // An absent list says nothing, an empty one means that there are none.
  const lists = new Set(Object.keys(options.prune ? (input as State) : {}) as (keyof State)[]);
  await withTable(options, { mayCreate: true }, async (session) => {
    if (session.isOnAws) requireStrongKeys(state);
    const consent = { ...options, asksBeforeEmptying: true };
    const outcome = await applyContent(session, consent, (now) => merge(now, state, lists));
    printOutcome(options, outcome);
    if (options.exitCode && outcome.writes.length > 0) process.exitCode = exitCodes.differences;
  });
}
