/** Defines `feature show`. */
import type { Command } from "commander";
import type { ListedChange } from "../../../../lib/contract/responses/changes.ts";
import type { Variant } from "../../../../lib/contract/variants.ts";
import { formatTags, print, printJson, printTable } from "../../../cli/output.ts";
import { printable } from "../../../cli/printable.ts";
import type { Api } from "../../api/api.ts";
import { findNewestWrite } from "../../words/last-write.ts";
import { type FeatureOptions, getChanges, lookUpFeature } from "../api/find.ts";
import { type CommandOptions, command, onApi, projectOption } from "../command.ts";
import { dependencySentence, stateInWords, strategySentence } from "../words/strategy-sentence.ts";

type Options = CommandOptions & FeatureOptions;

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
