/** Defines `feature patch`. */
import { existsSync } from "node:fs";
import type { Command } from "commander";
import { findJsonIssues } from "../../../../lib/contract/json.ts";
import { summarise } from "../../../../lib/contract/validate.ts";
import { parseJson, readJsonFile } from "../../../cli/json-file.ts";
import { Refusal } from "../../../cli/refusal.ts";
import type { Api } from "../../api/api.ts";
import {
  environmentGiven,
  type FeatureOptions,
  lookUpFeature,
  pathOfFeature,
  requireEnvironment,
  type WhereOptions,
} from "../api/find.ts";
import { commandInEnvironments, environmentWords } from "../change/change-command.ts";
import { makeChange } from "../change/make-change.ts";
import { suggestMember } from "../change/suggest-member.ts";
import { type CommandOptions, onApi } from "../command.ts";

const help = `Patch a feature, in one environment or in all

The patch is a JSON Patch (RFC 6902) of everything that decides what SDKs get: "enabled", "variants" by name, "strategies"
by id, "dependencies" and "targeting". The "difference" of a change in "feature history --json" is such a patch. With --yes,
the command does not check whether the feature has changed since the preview.`;

export function patchCommand(): Command {
  return commandInEnvironments("patch", help, [
    ["feature patch checkout red.json --environment production", "previews the change, and asks"],
    [
      `feature patch checkout '[{"op":"add","path":"/variants/red","value":{"weight":0}}]' --all`,
      "a patch as an argument, in every environment",
    ],
  ])
    .argument("<name>", "the name of the feature")
    .argument("<patch>", 'a file with the patch, "-" for standard input, or the patch itself')
    .action(onApi(patch));
}

function readPatch(given: string): unknown {
  if (/^\s*\[/.test(given)) return parseJson(given, "the patch");
  if (given !== "" && given !== "-" && !existsSync(given)) {
    throw new Refusal(`there is no file "${given}"; a patch that is not in a file starts with "["`);
  }
  return readJsonFile(given);
}

async function patch(
  api: Api,
  options: CommandOptions & FeatureOptions & WhereOptions,
  name: string,
  given: string,
): Promise<void> {
  const environment = environmentGiven(options);
  const body = await readPatch(given);
  // What is sent is written anew: it would have null for a number beyond a double.
  const issues = findJsonIssues(body);
  if (issues.length > 0) throw new Refusal(`the patch is not valid: ${summarise(issues)}`);
  const { feature } = await lookUpFeature(api, name, options);
  if (environment !== undefined) requireEnvironment(feature, environment);
  await makeChange(api, options, {
    method: "PATCH",
    path: pathOfFeature(feature, environment),
    body,
    title: `Patch "${name}" in ${environment ?? "every environment"}`,
    feature: name,
    commandWords: ["feature", "patch", name, given, ...environmentWords(environment)],
    textIfWritten: (where, change) => `Patched "${name}" in ${where}: the change ${change}.`,
    textIfUnchanged: `The patch changes nothing of "${name}".`,
  }).catch((error) => {
    if (!(error instanceof Refusal)) throw error;
    throw new Refusal(suggestMember(error.message, body, feature.environments), { cause: error });
  });
}
