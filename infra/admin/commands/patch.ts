/** `feature patch` */
import type { Command } from "commander";
import { parseJson, readJsonFile } from "../../cli/json-file.ts";
import { quoted } from "../../cli/printable.ts";
import { Refusal } from "../../cli/refusal.ts";
import { type Api, pathOf } from "../../client/api.ts";
import { guardedCommand } from "../change-command.ts";
import { type CommandOptions, onApi } from "../command.ts";
import {
  environmentGiven,
  type FeatureOptions,
  lookUpFeature,
  namesInPath,
  requireEnvironment,
  type WhereOptions,
} from "../feature-api.ts";
import { makeChange } from "../make-change.ts";
import { suggestMember } from "../near-members.ts";

const help = `Patch a feature, in one environment or in all

The patch is a JSON Patch (RFC 6902) of all that decides what SDKs get: "enabled", "variants" by name, "strategies" by
id, "targeting". What "feature history --json" has as the difference of a change is such a patch. With --yes, what
changes meanwhile does not matter, unless the patch fails then.`;

export function patchCommand(): Command {
  return guardedCommand("patch", help, [
    ["feature patch checkout red.json --environment production", "shows what it will do, and asks"],
    [
      `feature patch checkout '[{"op":"add","path":"/variants/red","value":{"weight":0}}]' --all`,
      "typed, in every environment",
    ],
  ])
    .argument("<name>", "the name of the feature")
    .argument("<patch>", 'a file with the patch, "-" for standard input, or the patch itself')
    .option("--environment <name>", "in this environment")
    .option("--all", "in every environment")
    .action(onApi(patch));
}

async function patch(
  api: Api,
  options: CommandOptions & FeatureOptions & WhereOptions,
  name: string,
  given: string,
): Promise<void> {
  const environment = environmentGiven(options);
  const body = /^\s*\[/.test(given) ? parseJson(given, "the patch") : await readJsonFile(given);
  const { feature } = await lookUpFeature(api, name, options);
  if (environment !== undefined) requireEnvironment(feature, environment);
  await makeChange(api, options, {
    method: "PATCH",
    path: pathOf(namesInPath(feature, environment)),
    body,
    title: `Patch "${name}"`,
    again: `to patch it, run: feature patch ${quoted(name)} again`,
    done: (where, change) => `Patched "${name}" in ${where}: the change ${change}.`,
    nothing: `The patch changes nothing of "${name}".`,
  }).catch((error) => {
    if (!(error instanceof Refusal)) throw error;
    throw new Refusal(suggestMember(error.message, body, feature.environments));
  });
}
