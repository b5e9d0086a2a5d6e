/** Defines `feature restore`. */
import type { Command } from "commander";
import { ConflictError, NotFoundError } from "../../../../lib/contract/errors.ts";
import { limits } from "../../../../lib/contract/limits.ts";
import { emptyContent } from "../../../../lib/features/model.ts";
import { contentToRestore, restoreFeature } from "../../../../lib/store/delete-and-restore.ts";
import { type DeletedFeature, readDeletedFeatures } from "../../../../lib/store/deletion-items.ts";
import { completeDeletion } from "../../../../lib/store/leftovers.ts";
import { readStoredFeature } from "../../../../lib/store/read-items.ts";
import { requireConfirmation } from "../../../cli/confirm.ts";
import { notEmpty } from "../../../cli/options.ts";
import { note, print, printJson } from "../../../cli/output.ts";
import { printable } from "../../../cli/printable.ts";
import { Refusal } from "../../../cli/refusal.ts";
import type { FeatureContent } from "../../../store/content.ts";
import { newClock } from "../../../store/open-table.ts";
import { readProjects } from "../../../store/read-content.ts";
import { type FeatureOptions, readFeature } from "../api/find.ts";
import { openOperatorApi } from "../api/operator-api.ts";
import { type CommandOptions, command, onTableOrKey, projectOption, reasonOption } from "../command.ts";
import type { OperatorSession } from "../table/with-table.ts";
import { describeFeature, featureAsJson } from "../words/describe-feature.ts";
import { restoreByKey } from "./delete-and-restore-by-key.ts";

const help = `Bring a deleted feature back, up to ${limits.keptDays} days after its deletion

It is as it was, for the same users, with its tags. Its list of changes begins anew, so what was changed before the
deletion cannot be undone. Environments that its project has got since are off, and those that the project has no more
are left out. With --url, there is no --dry-run and no --deletion.`;

export function restoreFeatureCommand(): Command {
  return command("restore", help, [
    ["feature restore checkout --dry-run", "what it would be"],
    ["feature restore checkout", "asks for confirmation"],
    [
      "feature restore checkout --deletion Xq8vN0bT3dE",
      "if it was deleted more than once; history lists the ids",
    ],
  ])
    .argument("<name>", "the name of the feature")
    .addOption(projectOption("the project of the feature, if the API key reads several"))
    .option("--deletion <id>", "the deletion to take back (default: the last one)", notEmpty)
    .option("--dry-run", "print what would be restored, and change nothing")
    .addOption(reasonOption())
    .option("-y, --yes", "do not ask")
    .action(onTableOrKey(restoreOnTable, restoreByKey));
}

type RestoreOptions = CommandOptions & FeatureOptions & { deletion?: string };

async function restoreOnTable(
  session: OperatorSession,
  options: RestoreOptions,
  name: string,
): Promise<void> {
  const { json, yes, dryRun = false } = options;
  await requireNone(session, name, options.deletion);
  // First completes an interrupted deletion, which keeps what patches have written to its environments since.
  if (!dryRun) await completeDeletion(session, await readStoredFeature(session, name));
  const deleted = await findDeletedFeature(session, name, options);
  const { project, environments: had } = deleted.deletionItem;
  const ofProject = (await readProjects(session)).get(project);
  if (!ofProject)
    throw new Refusal(`there is no project "${project}" any more: make it first (\`project put\`)`);
  const content = restoredContent(deleted, ofProject);
  const lost = had.filter((environment) => !ofProject.includes(environment));
  if (lost.length > 0) note(`Left out, as project "${project}" has them no more: ${lost.join(", ")}`);
  if (!json) print(describeFeature(content));
  if (dryRun) {
    if (json) printJson({ dryRun, ...featureAsJson(content) });
    else print("Dry run, nothing was restored.");
    return;
  }
  await requireConfirmation(
    `Restore the feature "${name}" as it was before ${deleted.deletionItem.deletion.at}?`,
    {
      yes,
    },
  );
  await restoreFeature(session, newClock(), deleted, session.newStamp()).catch(throwExplained);
  if (json) printJson((await readFeature(openOperatorApi(session), project, name))?.raw);
  else print(printable(`Restored the feature "${name}".`));
}

async function requireNone(
  session: OperatorSession,
  name: string,
  deletion: string | undefined,
): Promise<void> {
  const { item } = await readStoredFeature(session, name);
  if (!item) return;
  const { project, creation } = item;
  const isRestored =
    creation?.restores !== undefined && creation.restores === (deletion ?? creation.restores);
  if (isRestored) {
    throw new Refusal(`the feature "${name}" is restored already: by ${creation.by}, ${creation.at}`);
  }
  const exists = `there is a feature "${name}" in project "${project}"`;
  const id = deletion ?? (await readDeletedFeatures(session, name))[0]?.deletionItem.deletion.id;
  if (id === undefined)
    throw new Refusal(`${exists}; it was not deleted in the last ${limits.keptDays} days`);
  throw new Refusal(`${exists} again: delete it first, then restore the earlier one with --deletion ${id}`);
}

async function findDeletedFeature(
  session: OperatorSession,
  name: string,
  { deletion: wanted, project }: RestoreOptions,
): Promise<DeletedFeature> {
  const all = await readDeletedFeatures(session, name);
  const deletedFeatures = all.filter(
    ({ deletionItem }) => deletionItem.project === (project ?? deletionItem.project),
  );
  const found =
    wanted === undefined
      ? deletedFeatures[0]
      : deletedFeatures.find(({ deletionItem }) => deletionItem.deletion.id === wanted);
  if (found) {
    if (wanted === undefined && deletedFeatures.length > 1) note(describeOthers(name, deletedFeatures));
    return found;
  }
  if (deletedFeatures.length > 0)
    throw new Refusal(`there is no deletion "${wanted}"; ${describeOthers(name, deletedFeatures)}`);
  throw new Refusal(
    `no feature "${name}" was deleted in the last ${limits.keptDays} days; "history" lists those that were`,
  );
}

function describeOthers(name: string, deletedFeatures: readonly DeletedFeature[]): string {
  const list = deletedFeatures.map(
    ({ deletionItem: { deletion } }) => `${deletion.id} (${deletion.at} by ${deletion.by})`,
  );
  return `"${name}" was deleted more than once, and --deletion takes one of these: ${list.join(", ")}`;
}

/** Returns the content for the environments that the project has now: off in those that the feature did not have. */
function restoredContent(deleted: DeletedFeature, ofProject: readonly string[]): FeatureContent {
  const { contents, ...feature } = contentToRestore(deleted);
  const environments = ofProject.map((one) => [one, contents.get(one) ?? emptyContent] as const);
  return { ...feature, environments: new Map(environments) };
}

/** Explains what another command has changed between the reads and the write. */
function throwExplained(error: unknown): never {
  if (error instanceof ConflictError || error instanceof NotFoundError) throw new Refusal(error.message);
  throw error;
}
