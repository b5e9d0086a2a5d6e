/** `apply FILE` */
import type { Command } from "commander";
import { UsageError } from "../../refusal.ts";
import { readLists } from "../../state/state-file.ts";
import { carryOut } from "../carry-out.ts";
import { action, command, type Options } from "../command.ts";
import { exitCodes } from "../explain.ts";
import { withTable } from "../place.ts";
import { type Change, planChanges } from "../plan/changes.ts";
import { toContent } from "../plan/content.ts";
import { describe, format, removesSomething } from "../plan/describe.ts";
import { merge } from "../plan/merge.ts";
import { requireConsistent } from "../plan/require-consistent.ts";
import { readAll } from "../read-all.ts";
import { andMore } from "../terminal/and-more.ts";
import { confirmed } from "../terminal/confirm.ts";

interface ApplyOptions extends Options {
  prune?: boolean;
  yes?: boolean;
  exitCode?: boolean;
}

const details = `
Without --prune nothing is removed: features, keys, environments and tags that the file does not have stay as
they are. The variants of an environment that the file names are replaced as a whole. A feature without
"environments" gets all of its project's and keeps its variants. A file with features has their projects too.

With --prune, what the lists of the file lack is removed, and a feature without "environments" loses its
variants; a list that the file does not have is left alone, so a file without "apiKeys" never removes a key.

With or without --prune, a key that the file replaces by another of the same name is revoked. Removing and
revoking ask for confirmation.

With --dry-run --exit-code, for pipelines, the exit code is 0 if there are no differences, 2 if there are some,
and 1 for every error, wrong usage included. --json has each difference as data.

An invalid file is refused as a whole, with all of its errors. Only differences are written, so the command can
be run again at any time.`;

export function applyCommand(): Command {
  return command("apply", "Create and update what a state file describes", {
    details,
    examples: [
      ["apply state.json --dry-run", "see what would change"],
      ["apply state.json --dry-run --exit-code", "fail in a pipeline if anything would change"],
      ["apply state.json --prune", "remove what the file lacks"],
      ["--data here export | burgee --data there apply -", "copy from one place to another"],
    ],
  })
    .argument("<file>", 'the state file; "-" for standard input')
    .option("--prune", "remove what the file lacks")
    .option("--dry-run", "print the differences, and change nothing")
    .option("--exit-code", "with --dry-run: exit with 2 if there are differences")
    .option("-y, --yes", "do not ask before removing or revoking")
    .action(action(apply));
}

async function apply(options: ApplyOptions, file: string): Promise<void> {
  if (options.exitCode && !options.dryRun) throw new UsageError("--exit-code needs --dry-run");
  const { state, lists } = await readLists(file);
  await withTable(
    options,
    async (session) => {
      const stored = await readAll(session);
      const now = toContent(stored);
      const target = merge(now, state, options.prune ? lists : undefined);
      requireConsistent(now, target);
      const plan = planChanges(stored, target);
      if (!options.dryRun) await confirmRemovals(plan.changes, options);
      await carryOut(session, plan, options);
      if (options.exitCode && plan.changes.length > 0) process.exitCode = exitCodes.differences;
    },
    { mayCreate: true },
  );
}

async function confirmRemovals(changes: readonly Change[], options: ApplyOptions): Promise<void> {
  const removals = changes.map(describe).filter((change) => removesSomething(change, options));
  if (removals.length === 0) return;
  await confirmed("Remove or revoke these, for good?", {
    ...options,
    what: andMore(removals.map(format), 10),
  });
}
