/** `feature list | show | create | delete`, and its other commands. */
import { isDeepStrictEqual } from "node:util";
import type { Command } from "commander";
import type { Variant } from "../../../lib/contract/variants.ts";
import type { Stamp } from "../../../lib/features/stamp.ts";
import { type ProjectItem, projectKey } from "../../../lib/store/items.ts";
import { getItem } from "../../../lib/store/read-items.ts";
import type { Session } from "../../../lib/store/session.ts";
import { confirmed } from "../../cli/confirm.ts";
import { formatTags, print, printJson, printTable } from "../../cli/output.ts";
import { printable } from "../../cli/printable.ts";
import { Refusal, UsageError } from "../../cli/refusal.ts";
import { type FeatureState, featureStateSchema } from "../../state/schemas.ts";
import { inOrder, toFeature, toState } from "../../store/content.ts";
import { readProjects } from "../../store/read-content.ts";
import { environmentsOf, readStoredFeature } from "../../store/read-table.ts";
import { concurrentChange, retryConflicts } from "../../store/replace-item.ts";
import { deleteFeature, requireNotBeingCreated, writeFeature } from "../../store/write-feature.ts";
import { command, group, type Options, onTable, requireValid } from "../command.ts";
import { findFeature, readAll, requireScope } from "../find.ts";
import type { OperatorSession } from "../place.ts";
import { featureHistoryCommand } from "./history.ts";
import { undoCommand } from "./undo.ts";

const showHelp =
  "Show a feature: its tags, its variants in each environment, and the authors of the last changes";

export function featureCommands(): Command {
  return group("feature", "List, show, create and delete features, and undo changes", [
    command("list", "List the features with their project, number of variants and tags", [
      ["feature list", "all features"],
      ["feature list --project default --json", "those of one project, for a script"],
    ])
      .option("--project <id>", "only those of this project")
      .action(onTable(listFeatures)),
    command("show", showHelp, [
      ["feature show checkout", "for people"],
      ["feature show checkout --json", "with the request ids of the last changes"],
    ])
      .argument("<name>", "the name of the feature")
      .action(onTable(showFeature)),
    command("create", "Create a feature in all environments of a project, without variants", [
      ["feature create checkout --project default", "a feature to add variants and tags to"],
    ])
      .argument("<name>", "the name of the feature")
      .requiredOption("--project <id>", "the project that it belongs to")
      .action(onTable(createFeature)),
    command("delete", "Delete a feature with its tags and all of its variants", [
      ["feature delete checkout", "asks for confirmation"],
      ["feature delete checkout --yes", "in a script"],
    ])
      .argument("<name>", "the name of the feature")
      .option("-y, --yes", "do not ask")
      .action(onTable(removeFeature)),
    featureHistoryCommand(),
    undoCommand(),
  ]);
}

async function listFeatures(
  session: Session,
  { json, project }: Options & { project?: string },
): Promise<void> {
  const all = await readAll(session);
  requireScope(all.projects, { project });
  const features = toState(all).features.filter((one) => project === undefined || one.project === project);
  if (json) return printJson(features);
  printTable(["feature", "project", "variants", "tags"], features.map(toRow), "There are no features.");
}

function toRow({ name, project, environments = {}, tags }: FeatureState): string[] {
  const lists = Object.entries(environments).map(([name, { variants }]) => `${name} ${variants.length}`);
  return [name, project, lists.join(", ") || "no environments", formatTags(tags)];
}

async function showFeature(session: Session, { json }: Options, name: string): Promise<void> {
  const found = await findFeature(session, name);
  const { project, tags } = toFeature(found);
  const { changed } = found.item;
  const environments = environmentsOf(found);
  if (json) {
    const states = environments.map(({ environment, revision, created, last = created, variants }) => [
      environment,
      { revision, changed: toStamp(last), variants: variants.map(inOrder) },
    ]);
    return printJson({ name, project, tags, changed, environments: Object.fromEntries(states) });
  }
  print(
    `feature  ${printable(name)}\nproject  ${printable(project)}\ntags     ${printable(formatTags(tags))}`,
  );
  if (changed) print(`changed  ${lastChange(changed)}`);
  for (const { environment, variants, revision, created, last = created } of environments) {
    print(`\n${printable(environment)} (revision ${revision}, changed ${lastChange(last)})`);
    const head = ["variant", "weight", "type", "stickiness", "payload", "overrides"];
    printTable(head, variants.map(toCells), "no variants");
  }
}

function toStamp({ id, by, at, request, reason }: Stamp): Stamp {
  return { id, by, at, request, ...(reason && { reason }) };
}

function lastChange({ at, by }: Stamp): string {
  return `${at} by ${printable(by)}`;
}

function toCells({ name, weight, weightType, stickiness, payload, overrides = [] }: Variant): string[] {
  return [
    name,
    String(weight),
    weightType,
    stickiness,
    payload ? `${payload.type} ${payload.value}` : "",
    overrides.map(({ contextName, values }) => `${contextName}: ${values.join(", ")}`).join("; "),
  ];
}

async function createFeature(
  session: OperatorSession,
  { json, project }: Options & { project: string },
  name: string,
): Promise<void> {
  requireValid("feature", featureStateSchema, { name, project });
  // Stricter than state files, as Unleash is. The schema has refused lone surrogates, which cannot be encoded.
  if (encodeURIComponent(name) !== name || name === "." || name === "..") {
    throw new UsageError(
      `the feature's name "${name}" must be URL-friendly: letters, digits and -_.!~*'() only, and not "." or ".."`,
    );
  }
  const stamp = session.newStamp();
  let isCreated = false;
  const environments = await retryConflicts(async () => {
    const environments = await environmentsOfProject(session, project);
    const stored = await readStoredFeature(session, name);
    requireNotBeingCreated(stored, stamp);
    const { item } = stored;
    if (item && !isCreated) throw existing(name, item.project, project);
    const before = item && toFeature({ ...stored, item });
    const lists = environments.map((one) => [one, before?.environments.get(one) ?? []] as const);
    const tags = before?.tags ?? [];
    await writeFeature(session, stored, { name, project, tags, environments: new Map(lists) }, stamp);
    isCreated = true;
    // A `project put` that did not find this feature yet has not added its new environments to it.
    const now = await environmentsOfProject(session, project);
    if (!isDeepStrictEqual(now, environments)) throw concurrentChange();
    return environments;
  });
  if (json) return printJson({ name, project, environments });
  const where = environments.join(", ") || "no environments";
  print(`Created the feature "${name}" in project "${project}" (${where}).`);
}

function existing(name: string, from: string, to: string): Refusal {
  const move = `; a feature stays in its project: delete it (\`feature delete\`), then create it in "${to}"`;
  return new Refusal(`the feature "${name}" already exists, in project "${from}"${from === to ? "" : move}`);
}

/** The others are read only to suggest another project. */
async function environmentsOfProject(session: Session, project: string): Promise<readonly string[]> {
  const item = await getItem<ProjectItem>(session, projectKey(project));
  if (item) return item.environments;
  const projects = await readProjects(session);
  requireScope(projects, { project });
  return projects.get(project) ?? [];
}

async function removeFeature(session: Session, { json, yes }: Options, name: string): Promise<void> {
  const found = await findFeature(session, name);
  const where = `of project "${found.item.project}"`;
  await confirmed(`Delete the feature "${name}" ${where}, with its variants in all environments?`, { yes });
  await deleteFeature(session, found);
  if (json) printJson({ deleted: name });
  else print(`Deleted the feature "${name}".`);
}
