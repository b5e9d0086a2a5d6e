/** Defines `feature on | off`. */
import type { Command } from "commander";
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
import { type CommandOptions, onApi } from "../command.ts";

type SwitchOptions = CommandOptions & FeatureOptions & WhereOptions;

export function switchCommand(to: "on" | "off"): Command {
  const help = `Switch a feature ${to}, in one environment or in all

The variants stay as they are. SDKs get the new state when they next load their document. "feature history" lists the
change, and "feature undo" undoes it. With --yes, the command does not check whether the feature has changed since the
preview.`;
  return commandInEnvironments(to, help, [
    [`feature ${to} checkout --environment production`, "previews the change, and asks"],
    [`feature ${to} checkout --all --yes --reason "incident 7"`, "in every environment, in a script"],
  ])
    .argument("<name>", "the name of the feature")
    .action(onApi<SwitchOptions, [string]>((api, options, name) => turn(api, options, name, to)));
}

async function turn(api: Api, options: SwitchOptions, name: string, to: "on" | "off"): Promise<void> {
  const environment = environmentGiven(options);
  const { feature } = await lookUpFeature(api, name, options);
  if (environment !== undefined) requireEnvironment(feature, environment);
  await makeChange(api, options, {
    method: "POST",
    path: pathOfFeature(feature, environment, to),
    title: `Switch "${name}" ${to} in ${environment ?? "every environment"}`,
    feature: name,
    commandWords: ["feature", to, name, ...environmentWords(environment)],
    textIfWritten: (where, change) => `Switched "${name}" ${to} in ${where}: the change ${change}.`,
    textIfUnchanged: `"${name}" is already ${to} in ${environment ?? "every environment"}.`,
  });
}
