/** Defines `guard trip | list`. */
import type { Command } from "commander";
import { NoAccessError, NotFoundError } from "../../../../lib/contract/errors.ts";
import { limits } from "../../../../lib/contract/limits.ts";
import { trippedGuardSchema } from "../../../../lib/contract/responses/guards.ts";
import { requireConfirmation } from "../../../cli/confirm.ts";
import { exitCodes, explain } from "../../../cli/explain.ts";
import { commandToPaste } from "../../../cli/how-started.ts";
import { print, printJson, printTable } from "../../../cli/output.ts";
import { printable } from "../../../cli/printable.ts";
import { Refusal } from "../../../cli/refusal.ts";
import { type Api, request } from "../../api/api.ts";
import { burgeeHeaders } from "../../api/headers.ts";
import { pathOf } from "../../api/path.ts";
import {
  type FeatureOptions,
  featureNames,
  getChanges,
  getProjects,
  projectMeant,
  readEach,
  readFeature,
  unlessGone,
} from "../api/find.ts";
import { changeOptionsGiven } from "../change/change-command.ts";
import { noteMissing, permissionRefusal } from "../change/preview.ts";
import { type CommandOptions, command, group, onApi, projectOption, reasonOption } from "../command.ts";
import { requireScope } from "../require-scope.ts";
import { movesSentence } from "../words/moves-sentence.ts";

type ListOptions = CommandOptions & FeatureOptions & { environment?: string };
type TripOptions = CommandOptions & FeatureOptions & { environment: string };

const tripHelp = `Undo the changes under a guard in an environment

A guard is a name that a change gets by --guard, for a time (--for). Tripping the guard within that time undoes the change,
unless a later change of the feature is in effect; the exit code is then 1. After an interruption, run the command again:
it undoes the rest.`;

const listHelp = `List the changes that a trip of their guard would undo now

A change is not listed while a later one is in effect, because a trip does not undo it. A change that is not among the newest
${limits.listedChanges} of its environment, because later ones were made and undone, is shown as "older", by "unknown"; "guard trip --dry-run"
prints its id.`;

export function guardCommands(): Command {
  return group("guard", "List and undo changes under guards", [
    command("trip", tripHelp, [
      ["guard trip checkout-errors --environment production", "previews the undo, and asks"],
      ["guard trip checkout-errors --environment production --project default --yes", "in a script"],
    ])
      .argument("<guard>", "the name of the guard")
      .requiredOption("--environment <name>", "in this environment")
      .addOption(projectOption("the project (default: the only one)"))
      .option("--dry-run", "print what would be undone, and change nothing")
      .addOption(reasonOption())
      .option("-y, --yes", "do not ask")
      .action(onApi(tripGuard)),
    command("list", listHelp, [
      ["guard list", "in all projects"],
      ["guard list --environment production", "in one environment"],
    ])
      .option("--environment <name>", "only in this environment")
      .addOption(projectOption("only in this project"))
      .action(onApi(listGuards)),
  ]);
}

async function tripGuard(api: Api, options: TripOptions, guard: string): Promise<void> {
  const { environment, dryRun, json, yes, reason } = options;
  // A key that may only trip guards may not list projects, so it needs --project.
  const project = await projectMeant(api, options.project);
  const names = ["projects", project, "environments", environment, "guards", guard, "trip"];
  const headers = burgeeHeaders({ reason });
  const trip = (query: Record<string, string>) =>
    request(api, trippedGuardSchema, { method: "POST", path: pathOf(names, query), headers });

  const planned = await trip({ dryRun: "true" }).catch(async (error) => {
    if (error instanceof NotFoundError) await requireKnown(api, project, environment);
    throw error;
  });
  const what = planned.body.features.map((one) => toLine(environment, one)).join("\n");
  if (dryRun && json) return printJson(planned.raw);
  const title = `Undo the changes under the guard "${guard}" in ${environment}`;
  const nothing = `No change is under the guard "${printable(guard)}" in ${printable(environment)}.`;
  const { missingPermissions: missing = [] } = planned.body;
  if (dryRun) {
    print(`Dry run, nothing was changed. ${title}:\n${what || "    nothing to do"}`);
    return noteMissing(missing);
  }
  if (missing.length > 0) throw permissionRefusal(missing);
  const report = ({ body, raw }: typeof planned) => {
    if (json) printJson(raw);
    else print(body.features.map((one) => toLine(environment, one)).join("\n") || nothing);
    if (body.features.some(({ outcome }) => outcome !== "undone")) process.exitCode = exitCodes.failure;
  };
  // A trip would undo also what came under the guard after the preview.
  if (!planned.body.features.some(({ outcome }) => outcome === "would undo")) return report(planned);
  await requireConfirmation(`${title}?`, { yes, what });
  const words = ["guard", "trip", guard, "--environment", environment, ...changeOptionsGiven(options)];
  const again = `to undo the rest, run: ${commandToPaste(options, words)}`;
  const tripped = await trip({}).catch((error) => {
    const why = explain(error, options, again);
    throw why === undefined ? error : new Refusal(why, { cause: error });
  });
  report(tripped);
}

type Tripped = (typeof trippedGuardSchema)["_zod"]["output"]["features"][number];

function toLine(environment: string, { feature, change, outcome, moves, message }: Tripped): string {
  const why = message === undefined ? "" : `: ${message}`;
  const result = outcome === "changed since" ? "not undone" : outcome;
  const line = printable(`    ${feature}: ${result}${change === undefined ? "" : ` ${change}`}${why}`);
  return moves === undefined ? line : `${line}\n        ${movesSentence(environment, moves)}`;
}

/** Suggests another name for one that is not there. A key that may only trip guards may not read the names. */
async function requireKnown(api: Api, project: string, environment: string): Promise<void> {
  const projects = await environmentsByProject(api).catch((error) => {
    if (!(error instanceof NoAccessError)) throw error;
  });
  if (projects) requireScope(projects, { project, environment });
}

async function environmentsByProject(api: Api): Promise<Map<string, string[]>> {
  return new Map((await getProjects(api)).map(({ id, environments }) => [id, environments]));
}

async function listGuards(api: Api, options: ListOptions): Promise<void> {
  const { json, project, environment: only } = options;
  const projects = await environmentsByProject(api);
  requireScope(projects, { project, environment: only });
  const found: GuardedChange[] = [];
  for (const id of project === undefined ? projects.keys() : [project]) {
    const lists = await readEach(await featureNames(api, id), (name) => readGuarded(api, id, name));
    found.push(...lists.flat().filter(({ environment }) => environment === (only ?? environment)));
  }
  if (json) return printJson(found);
  const rows = found.map(
    ({ guard, project, environment, feature, change = "older", by = "unknown", until }) => [
      guard,
      project,
      environment,
      feature,
      change,
      by,
      until,
    ],
  );
  const head = ["guard", "project", "environment", "feature", "change", "by", "until"];
  printTable(head, rows, "A trip of a guard would undo nothing.");
}

interface GuardedChange {
  guard: string;
  project: string;
  environment: string;
  feature: string;
  /** Absent, as is `by`, if the list of changes ends before the change: later ones were made and undone. */
  change?: string;
  by?: string;
  until: string;
}

/** Reads the guards of the environments, because the list of changes may lack a change that a trip would undo. */
async function readGuarded(api: Api, project: string, name: string): Promise<GuardedChange[]> {
  const read = await readFeature(api, project, name);
  const guarded = (read?.feature.environments ?? []).flatMap(({ environment, guard }) =>
    guard && Date.parse(guard.until) > Date.now() ? [{ environment, guard }] : [],
  );
  if (guarded.length === 0) return [];
  const changes = (await unlessGone(getChanges(api, { project, name })))?.body.changes ?? [];
  return guarded.map(({ environment, guard }) => {
    const change = changes.find(({ environments }) =>
      environments.some((one) => one.environment === environment && one.guardedUntil === guard.until),
    );
    return {
      guard: guard.name,
      project,
      environment,
      feature: name,
      ...(change && { change: change.id, by: change.by }),
      until: guard.until,
    };
  });
}
