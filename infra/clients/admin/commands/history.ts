/** Defines `history`, and `feature history`. */
import type { Command } from "commander";
import { limits } from "../../../../lib/contract/limits.ts";
import { mergeChanges } from "../../../../lib/features/history/list-changes.ts";
import type { Session } from "../../../../lib/store/dynamodb/session.ts";
import { toEnvironmentState } from "../../../../lib/store/items/stored-content.ts";
import type { StoredFeature } from "../../../../lib/store/read-items.ts";
import { print, printJson } from "../../../cli/output.ts";
import { printable } from "../../../cli/printable.ts";
import { withProgress } from "../../../cli/progress.ts";
import { readProjects } from "../../../store/read-content.ts";
import { allChanges, environmentsOf, readTable, type ScannedTable } from "../../../store/read-table.ts";
import type { LifeRecord } from "../../../store/records.ts";
import type { Api } from "../../api/api.ts";
import { lastWriteOf } from "../../words/last-write.ts";
import {
  type FeatureOptions,
  featureNames,
  getChanges,
  lookUpFeature,
  projectsNamed,
  readEach,
  unlessGone,
} from "../api/find.ts";
import { withApi } from "../api/open-api.ts";
import { action, type CommandOptions, command, onApi, projectOption } from "../command.ts";
import { requireScope } from "../require-scope.ts";
import { withTable } from "../table/with-table.ts";
import { type PrintedChange, printChange, printRecord } from "../words/print-history.ts";
import { parseSince } from "../words/times.ts";

type ChangeOfFeature = PrintedChange & { feature: string; project: string };

type HistoryOptions = CommandOptions & FeatureOptions & { since?: string };

export function historyCommand(): Command {
  const help = `List the changes of all features in the last ${limits.keptDays} days, newest first

The list also has each creation, deletion and restoration of a feature or project and, without --project, each creation,
change, rotation and revocation of an API key. Updates of tags and changes of deleted features are not listed. With --url,
the list has only changes of features: the newest ${limits.listedChanges} of each environment.`;
  return command("history", help, [
    ["history --since 1h", "what changed in the last hour, who changed it, and why"],
    ["history --since 2030-01-31T09:00:00Z --project default --json", "in one project, for a script"],
  ])
    .option("--since <time>", "only changes after this: 90s, 30m, 24h, 7d, 2w ago, or a time", parseSince)
    .option("--project <id>", "only features of this project")
    .action(action(showHistory));
}

async function showHistory(options: HistoryOptions): Promise<void> {
  const { json, since = new Date(0).toISOString() } = options;
  const isInTable = options.url === undefined;
  const all = isInTable
    ? await readHistory(options)
    : { changes: await changesBehindApi(options), records: [] };
  const changes = newestFirst(all.changes, since);
  const records = newestFirst(all.records, since);
  if (json) return printJson({ changes, ...(isInTable && { records }) });
  for (const one of newestFirst([...changes, ...records], since)) {
    if ("did" in one) printRecord(one);
    else printChange(one, `"${one.feature}" `);
  }
  if (changes.length + records.length > 0) return;
  print(isInTable ? "There are no changes." : `There are no changes of features. ${onTableAlone}`);
}

const onTableAlone =
  "Creations, deletions and restorations are listed with --data, --endpoint or --table, in place of --url.";

const timeOf = (one: ChangeOfFeature | LifeRecord): number =>
  Date.parse("did" in one ? one.at : lastWriteOf(one));

function newestFirst<One extends ChangeOfFeature | LifeRecord>(all: readonly One[], since: string): One[] {
  const recent = all.filter((one) => timeOf(one) >= Date.parse(since));
  return recent.sort((left, right) => timeOf(right) - timeOf(left));
}

/** The table has every change, and a scan reads them with fewer calls. */
function readHistory(
  options: HistoryOptions,
): Promise<{ changes: ChangeOfFeature[]; records: LifeRecord[] }> {
  const { project } = options;
  return withTable(options, { mayCreate: false }, async (session: Session) => {
    requireScope(await readProjects(session), { project });
    const stored = await withProgress("Items read:", undefined, (reach) => readTable(session, reach));
    const features = [...stored.features.values()].filter(
      ({ item }) => item?.project === (project ?? item?.project),
    );
    const isOfProject = ({ kind, name, project: of }: LifeRecord) =>
      project === undefined || (kind === "project" ? name : of) === project;
    return {
      changes: features.flatMap((feature) => changesOf(stored, feature)),
      records: stored.records.filter(isOfProject),
    };
  });
}

function changesOf(stored: ScannedTable, feature: StoredFeature): ChangeOfFeature[] {
  if (!feature.item) return [];
  const { name, project } = feature.item;
  const states = environmentsOf(feature).map(toEnvironmentState);
  const environments = states.map((state) => ({ state, changes: allChanges(stored, state) }));
  return mergeChanges(name, environments).map((change) => ({
    feature: name,
    project,
    ...change,
  }));
}

/** Sends a request for each feature. */
function changesBehindApi(options: HistoryOptions): Promise<ChangeOfFeature[]> {
  return withApi(options, async (api) => {
    const changes: ChangeOfFeature[] = [];
    for (const project of await projectsNamed(api, options.project)) {
      const lists = await readEach(await featureNames(api, project), async (name) => {
        const read = await unlessGone(getChanges(api, { project, name }));
        return (read?.body.changes ?? []).map((change) => ({ feature: name, project, ...change }));
      });
      changes.push(...lists.flat());
    }
    return changes;
  });
}

const older = `Older changes are not listed here; "history" lists all of the last ${limits.keptDays} days, with --data, --endpoint or --table.`;

export function featureHistoryCommand(): Command {
  const help = `List the newest changes of a feature, newest first

The list has the newest ${limits.listedChanges} changes of each environment in the last ${limits.keptDays} days. With --json, print the API's response.`;
  return command("history", help, [
    ["feature history checkout", "what changed, by whom, why, and what can be undone"],
    ["feature history checkout --json | jq -r '.changes[0].id'", "the id of the newest change"],
  ])
    .argument("<name>", "the name of the feature")
    .addOption(projectOption())
    .action(onApi(showFeatureHistory));
}

async function showFeatureHistory(
  api: Api,
  options: CommandOptions & FeatureOptions,
  name: string,
): Promise<void> {
  const { feature } = await lookUpFeature(api, name, options);
  const { body, raw } = await getChanges(api, feature);
  if (options.json) return printJson(raw);
  const { changes, more = false } = body;
  if (changes.length === 0) {
    const name = printable(feature.name);
    print(
      `The list of changes of "${name}" is empty: it has those of the last ${limits.keptDays} days, since the feature was created or restored.`,
    );
  }
  for (const change of changes) printChange(change);
  if (more) print(older);
}
