/** `feature undo` */
import type { Command } from "commander";
import { readChanges } from "../../../lib/features/list-changes.ts";
import type { Target } from "../../../lib/features/model.ts";
import type { PlannedOutcome } from "../../../lib/features/outcome.ts";
import type { EnvironmentReader } from "../../../lib/features/stores.ts";
import { createEnvironmentStore } from "../../../lib/store/environment-store.ts";
import { quoted } from "../../cli/printable.ts";
import { Refusal } from "../../cli/refusal.ts";
import { type CommandOptions, command, onTable, reasonOption } from "../command.ts";
import { findFeature } from "../find.ts";
import { makeChange } from "../make-change.ts";
import type { OperatorSession } from "../place.ts";

export function undoCommand(): Command {
  const help = `Undo a change of a feature: of its variants, or of whether it is on

By default, undo the newest change that is in effect: run again, it goes another step back. Every environment where
the change is in effect gets exactly what was before it. If any has changed since, the command is refused;
--environment undoes the change in one alone. With --yes, what changes meanwhile in other environments does not matter.

A change can be undone for 29 days. An undo cannot be undone: to make the change again, send what
"feature history --json" has of it as a patch.`;
  return command("undo", help, [
    ["feature undo checkout", "shows what it will do, and asks"],
    ["feature undo checkout 6fJ1sMpXw0k --yes", "a change that `feature history` lists, in a script"],
    ["feature undo checkout --environment production", "the newest change of one environment, only there"],
  ])
    .argument("<name>", "the name of the feature")
    .argument("[change]", "the id of the change (default: the newest in effect)")
    .option("--environment <name>", "undo it in this environment, and leave the others as they are")
    .option("--dry-run", "print what it would do, and change nothing")
    .addOption(reasonOption())
    .option("-y, --yes", "do not ask")
    .action(onTable(undoChange));
}

async function undoChange(
  session: OperatorSession,
  options: CommandOptions & { environment?: string },
  name: string,
  change?: string,
): Promise<void> {
  const { environment } = options;
  const { project } = (await findFeature(session, name)).item;
  const store = createEnvironmentStore(session);
  const target = { project, feature: name, environment };
  const id = change ?? (await newestInEffect(store, target));
  // Without the id it could undo the change before this one; without the environment, this one in others too.
  const where = environment === undefined ? "" : ` --environment ${quoted(environment)}`;
  await makeChange(session, store, options, {
    target,
    edit: { kind: "undo", change: id },
    title: `Undo the change ${id} of "${name}"`,
    again: `to undo this change, run: feature undo ${quoted(name)} ${id}${where}`,
    toBody,
    done: (where, change) => `Undid ${id} in ${where}: the change ${change}.`,
    nothing: `${id} is undone already.`,
  });
}

/** As the API's, which has the variants of the first environment. */
function toBody([first]: readonly PlannedOutcome[]) {
  return { version: 1, variants: first?.after.variants ?? [] };
}

async function newestInEffect(store: EnvironmentReader, target: Target): Promise<string> {
  const states = await store.readEnvironments(target);
  const { changes } = await readChanges(store, states);
  const newest = changes.find(({ environments }) => environments.some(({ canUndo }) => canUndo));
  if (!newest) {
    const list = `feature history ${quoted(target.feature)}`;
    throw new Refusal(
      `the feature "${target.feature}" has no change that can be undone; "${list}" lists what was changed`,
    );
  }
  return newest.id;
}
