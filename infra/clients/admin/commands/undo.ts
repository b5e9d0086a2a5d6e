/** Defines `feature undo`. */
import type { Command } from "commander";
import { limits } from "../../../../lib/contract/limits.ts";
import { quotedForShell } from "../../../cli/printable.ts";
import { Refusal } from "../../../cli/refusal.ts";
import type { Api } from "../../api/api.ts";
import {
  type FeatureOptions,
  type FeatureResponse,
  getChanges,
  lookUpFeature,
  pathOfFeature,
  requireEnvironment,
} from "../api/find.ts";
import { changeCommand } from "../change/change-command.ts";
import { makeChange } from "../change/make-change.ts";
import { type CommandOptions, onApi } from "../command.ts";

export function undoCommand(): Command {
  const help = `Undo a change of a feature

By default, the newest change that is not yet undone; run the command again to undo the one before. Every environment of
the change gets exactly the state before it, or, with --environment, only that one. The command is refused if a later
change is in effect in one of them: undo that first.

A change can be undone for ${limits.undoableDays} days. An undo cannot be undone: to apply the change again, send its "difference" in
"feature history --json" with "feature patch".`;
  return changeCommand("undo", help, [
    ["feature undo checkout", "previews the undo, and asks"],
    ["feature undo checkout 6fJ1sMpXw0k --yes", "a change that `feature history` lists, without asking"],
    ["feature undo checkout --environment production", "the newest change of one environment, only there"],
  ])
    .argument("<name>", "the name of the feature")
    .argument("[change]", "the id of the change (default: the newest that is not yet undone)")
    .option("--environment <name>", "only in this environment")
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
  const id = change ?? (await newestToUndo(api, feature, environment));
  // Without the id it could undo the change before this one; without the environment, this one in others too.
  const where = environment === undefined ? [] : ["--environment", environment];
  await makeChange(api, options, {
    method: "POST",
    path: pathOfFeature(feature, environment, "variants", "changes", id, "undo"),
    title: `Undo the change ${id} of "${name}"`,
    feature: name,
    commandWords: ["feature", "undo", name, id, ...where],
    textIfWritten: (where, change) => `Undid ${id} in ${where}: the change ${change}.`,
    textIfUnchanged: `The change ${id} is already undone.`,
  });
}

async function newestToUndo(api: Api, feature: FeatureResponse, environment?: string): Promise<string> {
  const { changes } = (await getChanges(api, feature, environment)).body;
  const newest = changes.find(({ environments }) => environments.some(({ canUndo }) => canUndo));
  if (newest) return newest.id;
  const where = environment === undefined ? "" : ` in ${environment}`;
  const list = `feature history ${quotedForShell(feature.name)}`;
  throw new Refusal(
    `the feature "${feature.name}" has no change that can be undone${where}; "${list}" lists its changes`,
  );
}
