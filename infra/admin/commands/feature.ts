/** `feature list | show | delete`, and its other commands. */
import type { Command } from "commander";
import type { Variant } from "../../../lib/contract/variants.ts";
import type { Stamp } from "../../../lib/features/stamp.ts";
import type { Session } from "../../../lib/store/session.ts";
import { confirmed } from "../../cli/confirm.ts";
import { formatTags, print, printJson, printTable } from "../../cli/output.ts";
import { printable } from "../../cli/printable.ts";
import type { FeatureEntry } from "../../state/schemas.ts";
import { inOrder, toFeature, toState } from "../../store/content.ts";
import { environmentsOf } from "../../store/read-table.ts";
import { deleteFeature } from "../../store/write-feature.ts";
import { type CommandOptions, command, group, onTable } from "../command.ts";
import { findFeature, readAll, requireScope } from "../find.ts";
import { createFeatureCommand } from "./create-feature.ts";
import { featureHistoryCommand } from "./history.ts";
import { switchCommand } from "./switch.ts";
import { undoCommand } from "./undo.ts";

const showHelp =
  "Show a feature: its tags, where it is on, its variants in each environment, and the authors of the last changes";

export function featureCommands(): Command {
  return group("feature", "List, show, create, switch and delete features, and undo changes", [
    command("list", "List the features with their project, where they are on, number of variants and tags", [
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
    createFeatureCommand(),
    command("delete", "Delete a feature with its tags and all of its variants", [
      ["feature delete checkout", "asks for confirmation"],
      ["feature delete checkout --yes", "in a script"],
    ])
      .argument("<name>", "the name of the feature")
      .option("-y, --yes", "do not ask")
      .action(onTable(removeFeature)),
    switchCommand("on"),
    switchCommand("off"),
    featureHistoryCommand(),
    undoCommand(),
  ]);
}

async function listFeatures(
  session: Session,
  { json, project }: CommandOptions & { project?: string },
): Promise<void> {
  const all = await readAll(session);
  requireScope(all.projects, { project });
  const features = toState(all).features.filter((one) => project === undefined || one.project === project);
  if (json) return printJson(features);
  printTable(["feature", "project", "variants", "tags"], features.map(toRow), "There are no features.");
}

function toRow({ name, project, environments = {}, tags }: FeatureEntry): string[] {
  const lists = Object.entries(environments).map(
    ([name, { enabled, variants }]) => `${name} ${variants.length} ${enabled ? "on" : "off"}`,
  );
  return [name, project, lists.join(", ") || "no environments", formatTags(tags)];
}

async function showFeature(session: Session, { json }: CommandOptions, name: string): Promise<void> {
  const found = await findFeature(session, name);
  const { project, tags } = toFeature(found);
  const { changed } = found.item;
  const environments = environmentsOf(found);
  if (json) {
    const states = environments.map(
      ({ environment, enabled, revision, created, last = created, variants }) => [
        environment,
        { enabled, revision, changed: toStamp(last), variants: variants.map(inOrder) },
      ],
    );
    return printJson({ name, project, tags, changed, environments: Object.fromEntries(states) });
  }
  print(
    `feature  ${printable(name)}\nproject  ${printable(project)}\ntags     ${printable(formatTags(tags))}`,
  );
  if (changed) print(`changed  ${lastChange(changed)}`);
  for (const { environment, enabled, variants, revision, created, last = created } of environments) {
    print(
      `\n${printable(environment)}: ${enabled ? "on" : "off"} (revision ${revision}, changed ${lastChange(last)})`,
    );
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

function toCells(variant: Variant): string[] {
  const { name, weight, weightType, stickiness, payload, overrides = [], ...rest } = variant;
  rest satisfies Record<string, never>;
  return [
    name,
    String(weight),
    weightType,
    stickiness,
    payload ? `${payload.type} ${payload.value}` : "",
    overrides.map(({ contextName, values }) => `${contextName}: ${values.join(", ")}`).join("; "),
  ];
}

async function removeFeature(session: Session, { json, yes }: CommandOptions, name: string): Promise<void> {
  const found = await findFeature(session, name);
  const where = `of project "${found.item.project}"`;
  await confirmed(`Delete the feature "${name}" ${where}, with its variants in all environments?`, { yes });
  await deleteFeature(session, found);
  if (json) printJson({ deleted: name });
  else print(`Deleted the feature "${name}".`);
}
