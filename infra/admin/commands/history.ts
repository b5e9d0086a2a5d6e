/** `history`, and `feature history` */
import type { Command } from "commander";
import type { ChangeInEnvironment, VariantChange } from "../../../lib/contract/responses.ts";
import { listChanges } from "../../../lib/features/list-changes.ts";
import { attemptedAt } from "../../../lib/features/stamp.ts";
import { toState } from "../../../lib/store/read-feature.ts";
import type { Session } from "../../../lib/store/session.ts";
import { andMore, print, printJson } from "../../cli/output.ts";
import { printable } from "../../cli/printable.ts";
import { toContent } from "../../store/content.ts";
import { environmentsOf, type StoredFeature } from "../../store/read-table.ts";
import { command, type Options, onTable } from "../command.ts";
import { findFeature, readAll, requireScope } from "../lookup.ts";
import { parseSince } from "../times.ts";

type ListedChange = ReturnType<typeof listChanges>["changes"][number];

interface ChangeOfFeature extends ListedChange {
  feature: string;
  project: string;
}

export function historyCommand(): Command {
  const help = `List the last changes of variants, of all features, newest first

Each environment of a feature keeps its 10 newest changes; where earlier ones may be missing, the feature is named.
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
  { json, since = new Date(0).toISOString(), project }: Options & { since?: string; project?: string },
): Promise<void> {
  const stored = await readAll(session);
  requireScope(toContent(stored).projects, { project });
  const features = [...stored.features.values()].filter(
    ({ item }) => item?.project === (project ?? item?.project),
  );
  const lists = features.map((feature) => changesSince(Date.parse(since), feature, json));
  const changes = lists.flatMap((list) => list.changes);
  changes.sort((left, right) => Date.parse(right.at) - Date.parse(left.at));
  const incomplete = lists.flatMap((list) => list.incomplete);
  if (json) return printJson({ changes, incomplete });
  for (const change of changes) printChange(change, `"${change.feature}" `);
  if (changes.length === 0) print("There are no changes.");
  const lines = incomplete.map(
    ({ feature, droppedUntil }) => `"${printable(feature)}" up to ${droppedUntil}`,
  );
  if (lines.length > 0)
    print(`Changes that are no longer kept may be missing:\n${andMore(lines, 20, "    ")}`);
}

/** An attempt of that time counts, whenever its request began. */
function changesSince(since: number, stored: StoredFeature, json = false) {
  if (!stored.item) return { changes: [], incomplete: [] };
  const { name: feature, project } = stored.item;
  const states = environmentsOf(stored).map(toState);
  const ids = states.flatMap(({ changes }) =>
    changes.filter((one) => attemptedAt(one) >= since).map(({ id }) => id),
  );
  const { changes, droppedUntil } = listChanges(states, json ? "index" : "name");
  const isIncomplete = droppedUntil !== undefined && Date.parse(droppedUntil) >= since;
  return {
    changes: changes
      .filter(({ id }) => ids.includes(id))
      .map((change): ChangeOfFeature => ({ feature, project, ...change })),
    incomplete: isIncomplete ? [{ feature, project, droppedUntil }] : [],
  };
}

export function featureHistoryCommand(): Command {
  const help = `List the last changes of a feature's variants, newest first

Those are the 10 newest of each environment. With --json, print what the API's list of changes has.`;
  return command("history", help, [
    ["feature history checkout", "what changed, by whom, why, and what can be undone"],
    ["feature history checkout --json | jq -r '.changes[0].id'", "the id of the newest change"],
  ])
    .argument("<name>", "the name of the feature")
    .action(onTable(showFeatureHistory));
}

async function showFeatureHistory(session: Session, { json }: Options, name: string): Promise<void> {
  const states = environmentsOf(await findFeature(session, name)).map(toState);
  const listed = listChanges(states, json ? "index" : "name");
  if (json) return printJson({ version: 1, ...listed });
  const { changes, droppedUntil } = listed;
  if (changes.length === 0) print(`The feature "${printable(name)}" has no changes since it was created.`);
  for (const change of changes) printChange(change);
  if (droppedUntil !== undefined)
    print(`Changes up to ${droppedUntil} may be missing: they are no longer kept.`);
}

function printChange({ id, by, at, reason, undoes, environments }: ListedChange, feature = ""): void {
  const undone = undoes === undefined ? "" : `, undoes ${undoes}`;
  const why = reason === undefined ? "" : `: ${reason}`;
  print(printable(`${id}  ${at} ${feature}by ${by}${undone}${why}`));
  for (const one of environments) print(`    ${formatIn(one)}${one.canUndo ? " (can be undone)" : ""}`);
}

/** What a change does to the variants of an environment. Without operations, that is not known any more. */
export function formatIn({
  environment,
  changes,
}: Pick<ChangeInEnvironment, "environment" | "changes">): string {
  const operations = changes?.map(formatOperation).join(", ") ?? "not known any more";
  return printable(`${environment}: ${operations || "no difference"}`);
}

function formatOperation({ op, path, from, value }: VariantChange): string {
  const rest = [from, path, value === undefined ? undefined : JSON.stringify(value)];
  return [op, ...rest.filter((part) => part !== undefined)].join(" ");
}
