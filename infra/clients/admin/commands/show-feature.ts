/** Defines `feature list | show`. */
import type { Command } from "commander";
import type { ListedChange } from "../../../../lib/contract/responses/changes.ts";
import type { FeatureWithEnvironments } from "../../../../lib/contract/responses/lists.ts";
import type { Variant } from "../../../../lib/contract/variants.ts";
import { formatTags, print, printJson, printTable } from "../../../cli/output.ts";
import { printable } from "../../../cli/printable.ts";
import type { Api } from "../../api/api.ts";
import { findNewestWrite } from "../../words/last-write.ts";
import { usersInWords } from "../../words/users-in-words.ts";
import { type FeatureOptions, featuresIn, getChanges, lookUpFeature, projectsNamed } from "../api/find.ts";
import { type CommandOptions, command, onApi, projectOption } from "../command.ts";
import { dependencySentence, stateInWords, strategySentence } from "../words/strategy-sentence.ts";

type Options = CommandOptions & FeatureOptions;

export function listFeaturesCommand(): Command {
  return command(
    "list",
    "List the features with their project, tags, where they are on and for whom, and number of variants",
    [
      ["feature list", "all features"],
      ["feature list --project default --json", "those of one project, for a script"],
    ],
  )
    .option("--project <id>", "only the features of this project")
    .action(onApi(listFeatures));
}

async function listFeatures(api: Api, { json, project }: Options): Promise<void> {
  const features = [];
  for (const id of await projectsNamed(api, project)) {
    features.push(...(await featuresIn(api, id)).map((feature) => ({ project: id, ...feature })));
  }
  features.sort((left, right) => (left.name < right.name ? -1 : 1));
  if (json) return printJson(features);
  printTable(["feature", "project", "tags", "state"], features.map(toRow), "There are no features.");
}

function toRow({
  name,
  project,
  environments,
  tags,
}: FeatureWithEnvironments & { project: string }): string[] {
  const lists = environments.map((one) => {
    const { environment, enabled, variants } = one;
    const users = usersInWords(one);
    const state = enabled ? `on for ${users}` : `off${users && ` (${users})`}`;
    const count =
      variants.length === 0 ? "" : `, ${variants.length} variant${variants.length > 1 ? "s" : ""}`;
    return `${environment} ${state}${count}`;
  });
  return [name, project, formatTags(tags), lists.join("; ") || "no environments"];
}

const showHelp = `Show a feature: its tags, where it is on and for whom, its variants, and its last change in each environment

With --json, print the API's response.`;

export function showFeatureCommand(): Command {
  return command("show", showHelp, [
    ["feature show checkout", "for people"],
    ["feature show checkout --json", "for a script"],
  ])
    .argument("<name>", "the name of the feature")
    .addOption(projectOption())
    .action(onApi(showFeature));
}

async function showFeature(api: Api, options: Options, name: string): Promise<void> {
  const { feature, raw } = await lookUpFeature(api, name, options);
  if (options.json) return printJson(raw);
  const { project, tags, environments } = feature;
  print(
    `feature  ${printable(name)}\nproject  ${printable(project)}\ntags     ${printable(formatTags(tags))}`,
  );
  const { changes } = (await getChanges(api, feature)).body;
  for (const one of environments) {
    const { environment, enabled, variants, strategies, targeting, dependencies = [], ...others } = one;
    const { etag: _, guard: __, ...rest } = others;
    // Each aspect is printed.
    rest satisfies Record<string, never>;
    print(
      `\n${printable(environment)}: ${printable(stateInWords({ enabled, strategies, targeting }))}${lastChange(changes, environment)}`,
    );
    if (strategies.length > 1 || strategies.some((one) => one.variants.length > 0)) {
      for (const one of strategies) print(`    ${printable(`${one.id}: ${strategySentence(one)}`)}`);
    }
    for (const one of dependencies) print(`    ${printable(dependencySentence(one))}`);
    const head = ["variant", "weight", "type", "stickiness", "payload", "overrides"];
    printTable(head, variants.map(toCells), "no variants");
  }
}

function lastChange(changes: readonly ListedChange[], environment: string): string {
  const last = findNewestWrite(changes, (one) => one.environment === environment);
  return last === undefined ? "" : printable(` (changed ${last.writtenAt} by ${last.change.by})`);
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
