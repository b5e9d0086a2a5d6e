/** Defines `feature delete`. */
import { isDeepStrictEqual } from "node:util";
import type { Command } from "commander";
import { limits } from "../../../../lib/contract/limits.ts";
import type { Deletion } from "../../../../lib/contract/responses/features.ts";
import { requireNotReserved } from "../../../../lib/store/create-feature.ts";
import { deleteFeature } from "../../../../lib/store/delete-and-restore.ts";
import { restorableUntil } from "../../../../lib/store/deletion-items.ts";
import { removeAllLeftovers } from "../../../../lib/store/leftovers.ts";
import { readStoredFeature } from "../../../../lib/store/read-items.ts";
import { ConcurrentChange, runRounds } from "../../../../lib/store/replace-item.ts";
import { print, printJson } from "../../../cli/output.ts";
import { printable } from "../../../cli/printable.ts";
import { Refusal } from "../../../cli/refusal.ts";
import { type FeatureContent, toFeature } from "../../../store/content.ts";
import { newClock } from "../../../store/open-table.ts";
import type { FeatureOptions } from "../api/find.ts";
import { confirmDeletion, printDeletion } from "../change/confirm-deletion.ts";
import { type CommandOptions, command, onTableOrKey, projectOption, reasonOption } from "../command.ts";
import { findFeature, readAll } from "../table/find.ts";
import type { OperatorSession } from "../table/with-table.ts";
import { deleteByKey } from "./delete-and-restore-by-key.ts";

const help = `Delete a feature with its tags and all of its variants

SDKs get their default from then on. "feature restore" brings the feature back, for ${limits.keptDays} days. A deletion that was
interrupted is completed when the command is run again.`;

export function deleteFeatureCommand(): Command {
  return command("delete", help, [
    ["feature delete checkout --dry-run", "who has it: where it is on, for whom, with which variants"],
    ["feature delete checkout", "asks for confirmation"],
    ["feature delete checkout --yes", "in a script"],
  ])
    .argument("<name>", "the name of the feature")
    .addOption(projectOption())
    .option("--dry-run", "print what would be deleted, and change nothing")
    .addOption(reasonOption())
    .option("-y, --yes", "do not ask")
    .action(onTableOrKey(deleteOnTable, deleteByKey));
}

async function deleteOnTable(
  session: OperatorSession,
  options: CommandOptions & FeatureOptions,
  name: string,
): Promise<void> {
  const { yes } = options;
  const stored = await readStoredFeature(session, name);
  if (!stored.item && stored.environments.size > 0) return finishDeletion(session, options, name);
  const found = stored.item ? { ...stored, item: stored.item } : await findFeature(session, name);
  const shown = toFeature(found);
  requireProject(shown, options);
  const isMeant = await confirmDeletion(shown, (await readAll(session)).features, options);
  if (!isMeant) return;
  const { deletion, ttl } = await runRounds(newClock(), async () => {
    const { item, environments } = await readStoredFeature(session, name);
    const now = item?.uid === found.item.uid ? { item, environments } : undefined;
    const isAsShown = now && (yes || isDeepStrictEqual(toFeature(now), shown));
    if (!isAsShown) throw new Refusal(new ConcurrentChange().message);
    return deleteFeature(session, now, session.newStamp());
  });
  printDeletion(name, { deletion: deletion.id, restorableUntil: restorableUntil({ ttl }) }, options);
}

function requireProject({ name, project }: FeatureContent, wanted: FeatureOptions): void {
  if (wanted.project === undefined || wanted.project === project) return;
  throw new Refusal(`the feature "${name}" is in project "${project}"`);
}

/** Returns the deletion that is complete now. There is none if the creation of the feature was interrupted. */
async function deleteLeftovers(session: OperatorSession, name: string): Promise<Deletion | undefined> {
  const stored = await readStoredFeature(session, name);
  if (stored.item) return undefined;
  requireNotReserved(stored.reservation);
  const item = await removeAllLeftovers(session, stored);
  return item && { deletion: item.deletion.id, restorableUntil: restorableUntil(item) };
}

async function finishDeletion(
  session: OperatorSession,
  { json, dryRun = false }: CommandOptions,
  name: string,
): Promise<void> {
  const completed = dryRun ? undefined : await runRounds(newClock(), () => deleteLeftovers(session, name));
  const what = "what an interrupted command left of it";
  if (json) printJson(completed ?? { ...(dryRun && { dryRun }), deleted: name, leftovers: true });
  else if (dryRun) print(printable(`Dry run: the feature "${name}" is gone, and ${what} would be deleted.`));
  else print(printable(`The feature "${name}" was gone; deleted ${what}.`));
}
