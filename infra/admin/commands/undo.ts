/** `feature undo` */
import type { Command } from "commander";
import { quoted } from "../../cli/printable.ts";
import { Refusal } from "../../cli/refusal.ts";
import { type Api, pathOf } from "../../client/api.ts";
import { changeCommand } from "../change-command.ts";
import { type CommandOptions, onApi } from "../command.ts";
import {
  type FeatureOptions,
  type FoundFeature,
  getChanges,
  lookUpFeature,
  namesInPath,
  requireEnvironment,
} from "../feature-api.ts";
import { makeChange } from "../make-change.ts";

export function undoCommand(): Command {
  const help = `Undo a change of a feature: of its variants, or of whether it is on

By default, undo the newest change that is in effect: run again, it goes another step back. Every environment where
the change is in effect gets exactly what was before it. If any has changed since, the command is refused;
--environment undoes the change in one alone. With --yes, what changes meanwhile in other environments does not matter.

A change can be undone for 29 days. An undo cannot be undone: to make the change again, send what
"feature history --json" has of it as a patch.`;
  return changeCommand("undo", help, [
    ["feature undo checkout", "shows what it will do, and asks"],
    ["feature undo checkout 6fJ1sMpXw0k --yes", "a change that `feature history` lists, in a script"],
    ["feature undo checkout --environment production", "the newest change of one environment, only there"],
  ])
    .argument("<name>", "the name of the feature")
    .argument("[change]", "the id of the change (default: the newest in effect)")
    .option("--environment <name>", "undo it in this environment, and leave the others as they are")
    .action(onApi(undoChange));
}

async function undoChange(
  api: Api,
  options: CommandOptions & FeatureOptions & { environment?: string },
  name: string,
  change?: string,
): Promise<void> {
  const { environment } = options;
  const { feature } = await lookUpFeature(api, name, options);
  if (environment !== undefined) requireEnvironment(feature, environment);
  const id = change ?? (await newestInEffect(api, feature, environment));
  // Without the id it could undo the change before this one; without the environment, this one in others too.
  const where = environment === undefined ? "" : ` --environment ${quoted(environment)}`;
  await makeChange(api, options, {
    method: "POST",
    path: pathOf([...namesInPath(feature, environment), "variants", "changes", id, "undo"]),
    title: `Undo the change ${id} of "${name}"`,
    again: `to undo this change, run: feature undo ${quoted(name)} ${id}${where}`,
    done: (where, change) => `Undid ${id} in ${where}: the change ${change}.`,
    nothing: `${id} is undone already.`,
  });
}

async function newestInEffect(api: Api, feature: FoundFeature, environment?: string): Promise<string> {
  const { changes } = (await getChanges(api, feature, environment)).body;
  const newest = changes.find(({ environments }) => environments.some(({ canUndo }) => canUndo));
  if (newest) return newest.id;
  const list = `feature history ${quoted(feature.name)}`;
  throw new Refusal(
    `the feature "${feature.name}" has no change that can be undone; "${list}" lists what was changed`,
  );
}
