/** `history`, and `feature history` */
import type { Command } from "commander";
import type { DifferenceOperation } from "../../../lib/contract/responses.ts";
import { listChanges, readChanges } from "../../../lib/features/list-changes.ts";
import { createEnvironmentStore, toEnvironmentState } from "../../../lib/store/environment-store.ts";
import type { Session } from "../../../lib/store/session.ts";
import { print, printJson } from "../../cli/output.ts";
import { printable } from "../../cli/printable.ts";
import { withProgress } from "../../cli/progress.ts";
import { readProjects } from "../../store/read-content.ts";
import {
  allChanges,
  environmentsOf,
  readTable,
  type Stored,
  type StoredFeature,
} from "../../store/read-table.ts";
import { type CommandOptions, command, onTable } from "../command.ts";
import { findFeature, requireScope } from "../find.ts";
import { parseSince } from "../times.ts";

type ListedChange = ReturnType<typeof listChanges>[number];

interface ChangeOfFeature extends ListedChange {
  feature: string;
  project: string;
}

export function historyCommand(): Command {
  const help = `List the changes of the last 30 days: of variants, and of what is on, of all features, newest first

Tags have no changes, and deleted features none either.`;
  return command("history", help, [
    ["history --since 1h", "what changed in the last hour, who changed it, and why"],
    ["history --since 2030-01-31T09:00:00Z --project default --json", "in one project, for a script"],
  ])
    .option("--since <time>", "only changes after this: 90s, 30m, 24h, 7d, 2w ago, or a time", parseSince)
    .option("--project <id>", "only features of this project")
    .action(onTable(showHistory));
}

async function showHistory(
  session: Session,
  { json, since = new Date(0).toISOString(), project }: CommandOptions & { since?: string; project?: string },
): Promise<void> {
  requireScope(await readProjects(session), { project });
  const stored = await withProgress("Items read:", undefined, (reach) => readTable(session, reach));
  const features = [...stored.features.values()].filter(
    ({ item }) => item?.project === (project ?? item?.project),
  );
  const changes = features
    .flatMap((feature) => changesOf(stored, feature))
    .filter(({ at }) => Date.parse(at) >= Date.parse(since))
    .sort((left, right) => Date.parse(right.at) - Date.parse(left.at));
  if (json) return printJson({ changes });
  for (const change of changes) printChange(change, `"${change.feature}" `);
  if (changes.length === 0) print("There are no changes.");
}

function changesOf(stored: Stored, feature: StoredFeature): ChangeOfFeature[] {
  if (!feature.item) return [];
  const { name, project } = feature.item;
  const states = environmentsOf(feature).map(toEnvironmentState);
  const newest = states.map((state) => allChanges(stored, state));
  return listChanges(states, newest).map((change) => ({
    feature: name,
    project,
    ...change,
  }));
}

export function featureHistoryCommand(): Command {
  const help = `List the last changes of a feature, newest first

Those are the 20 newest of each environment, of the last 30 days. With --json, print what the API's list of changes has.`;
  return command("history", help, [
    ["feature history checkout", "what changed, by whom, why, and what can be undone"],
    ["feature history checkout --json | jq -r '.changes[0].id'", "the id of the newest change"],
  ])
    .argument("<name>", "the name of the feature")
    .action(onTable(showFeatureHistory));
}

async function showFeatureHistory(session: Session, { json }: CommandOptions, name: string): Promise<void> {
  const stored = await findFeature(session, name);
  const states = environmentsOf(stored).map(toEnvironmentState);
  const { changes, hasMore } = await readChanges(createEnvironmentStore(session), states);
  if (json) return printJson({ version: 1, changes, ...(hasMore && { more: true }) });
  if (changes.length === 0) print(`The feature "${printable(name)}" has no changes since it was created.`);
  for (const change of changes) printChange(change);
  if (hasMore) print('Older changes are kept: "history" lists all.');
}

function printChange({ id, by, at, reason, undoes, environments }: ListedChange, feature = ""): void {
  const undone = undoes === undefined ? "" : `, undoes ${undoes}`;
  const why = reason === undefined ? "" : `: ${reason}`;
  print(printable(`${id}  ${at} ${feature}by ${by}${undone}${why}`));
  for (const one of environments) print(`    ${formatIn(one)}${standingOf(one)}`);
}

function standingOf({ canUndo, undoneBy }: ListedChange["environments"][number]): string {
  if (undoneBy !== undefined) return ` (undone by ${undoneBy})`;
  return canUndo ? " (can be undone)" : "";
}

/** What a change does in an environment. */
export function formatIn({
  environment,
  enabled,
  changes = [],
}: {
  environment: string;
  enabled?: boolean;
  changes?: readonly DifferenceOperation[];
}): string {
  const switched = enabled === undefined ? [] : [enabled ? "on" : "off"];
  const operations = [...switched, ...changes.map(formatOperation)].join(", ");
  return printable(`${environment}: ${operations || "no difference"}`);
}

function formatOperation({ op, path, value }: DifferenceOperation): string {
  return [op, path, ...(value === undefined ? [] : [JSON.stringify(value)])].join(" ");
}
