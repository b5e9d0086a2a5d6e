/** `feature delete` */
import { isDeepStrictEqual } from "node:util";
import type { Command } from "commander";
import { requireNotBeingCreated } from "../../../lib/store/create-feature.ts";
import { deleteFeature } from "../../../lib/store/delete-feature.ts";
import { expiryOf, restorableUntil } from "../../../lib/store/deletions.ts";
import { readStoredFeature } from "../../../lib/store/read-items.ts";
import { concurrentChange, retryConflicts } from "../../../lib/store/replace-item.ts";
import { confirmed } from "../../cli/confirm.ts";
import { print, printJson } from "../../cli/output.ts";
import { printable } from "../../cli/printable.ts";
import { Refusal } from "../../cli/refusal.ts";
import { type FeatureContent, toFeature } from "../../store/content.ts";
import { newClock } from "../../store/open-table.ts";
import { type CommandOptions, command, onTable, reasonOption } from "../command.ts";
import { describeFeature, featureAsJson } from "../describe-feature.ts";
import { findFeature, readAll } from "../find.ts";
import type { OperatorSession } from "../place.ts";

const help = `Delete a feature with its tags and all of its variants

SDKs get their default from then on. "feature restore" brings the feature back, for 30 days. A deletion that was
interrupted is completed when the command is run again.`;

export function deleteFeatureCommand(): Command {
  return command("delete", help, [
    ["feature delete checkout --dry-run", "who has it: where it is on, for whom, with which variants"],
    ["feature delete checkout", "asks for confirmation"],
    ["feature delete checkout --yes", "in a script"],
  ])
    .argument("<name>", "the name of the feature")
    .option("--dry-run", "print what would be deleted, and change nothing")
    .addOption(reasonOption())
    .option("-y, --yes", "do not ask")
    .action(onTable(removeFeature));
}

async function removeFeature(session: OperatorSession, options: CommandOptions, name: string): Promise<void> {
  const { json, yes, dryRun = false } = options;
  const stored = await readStoredFeature(session, name);
  if (!stored.item && stored.environments.size > 0) return removeLeftovers(session, options, name);
  const found = stored.item ? { ...stored, item: stored.item } : await findFeature(session, name);
  const shown = toFeature(found);
  const dependents = await findDependents(session, shown);
  if (!json) print([describeFeature(shown), ...dependents.map(describeDependent)].join("\n"));
  if (dryRun) {
    if (json) printJson({ dryRun, ...featureAsJson(shown), dependents });
    else print("Dry run, nothing was deleted.");
    return;
  }
  const where = `of project "${shown.project}"`;
  await confirmed(`Delete the feature "${name}" ${where}, with its variants in all environments?`, { yes });
  const stamp = await retryConflicts(async () => {
    const now = await readStoredFeature(session, name);
    const isSame = now.item?.uid === found.item.uid;
    const isAsShown = yes || (now.item && isDeepStrictEqual(toFeature({ ...now, item: now.item }), shown));
    if (!isSame || !isAsShown) throw new Refusal(concurrentChange().message);
    // A deletion of its own, as another feature may have been read.
    const stamp = session.newStamp();
    await deleteFeature(session, now, stamp);
    return stamp;
  }, newClock());
  const until = restorableUntil({ ttl: expiryOf(stamp) });
  if (json) printJson({ deleted: name, deletion: stamp.id, restorableUntil: until });
  else print(printable(`Deleted the feature "${name}"; until ${until} "feature restore" brings it back.`));
}

interface Dependent {
  feature: string;
  environments: string[];
}

/** SDKs evaluate a feature whose parent they do not know as off. Their document has those of one project. */
async function findDependents(
  session: OperatorSession,
  { name, project }: FeatureContent,
): Promise<Dependent[]> {
  const { features } = await readAll(session);
  const others = [...features.values()].filter((other) => other.project === project && other.name !== name);
  const found = others.map(({ name: feature, environments }) => {
    const depending = [...environments].filter(([, { dependencies }]) =>
      dependencies.some((one) => one.feature === name),
    );
    return { feature, environments: depending.map(([environment]) => environment) };
  });
  return found.filter(({ environments }) => environments.length > 0);
}

function describeDependent({ feature, environments }: Dependent): string {
  return printable(`Depends on it, and is off without it: "${feature}" (${environments.join(", ")}).`);
}

async function deleteLeftovers(session: OperatorSession, name: string): Promise<void> {
  const stored = await readStoredFeature(session, name);
  if (stored.item) return;
  const stamp = session.newStamp();
  requireNotBeingCreated(undefined, stored.environments, stamp);
  await deleteFeature(session, stored, stamp);
}

async function removeLeftovers(
  session: OperatorSession,
  { json, dryRun = false }: CommandOptions,
  name: string,
): Promise<void> {
  if (!dryRun) await retryConflicts(() => deleteLeftovers(session, name), newClock());
  const what = "what an interrupted command left of it";
  if (json) printJson({ ...(dryRun && { dryRun }), deleted: name, leftovers: true });
  else if (dryRun) print(printable(`Dry run: the feature "${name}" is gone, and ${what} would be deleted.`));
  else print(printable(`The feature "${name}" was gone; deleted ${what}.`));
}
