/** `feature delete`, and the other commands of features. */
import type { Command } from "commander";
import type { Session } from "../../../lib/store/session.ts";
import { confirmed } from "../../cli/confirm.ts";
import { print, printJson } from "../../cli/output.ts";
import { deleteFeature } from "../../store/write-feature.ts";
import { type CommandOptions, command, group, onTable } from "../command.ts";
import { findFeature } from "../find.ts";
import { createFeatureCommand } from "./create-feature.ts";
import { featureHistoryCommand } from "./history.ts";
import { patchCommand } from "./patch.ts";
import { promoteCommand } from "./promote.ts";
import { rolloutCommand } from "./rollout.ts";
import { listFeaturesCommand, showFeatureCommand } from "./show-feature.ts";
import { switchCommand } from "./switch.ts";
import { undoCommand } from "./undo.ts";

export function featureCommands(): Command {
  return group("feature", "List, show, create, change and delete features, and undo changes", [
    listFeaturesCommand(),
    showFeatureCommand(),
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
    rolloutCommand(),
    patchCommand(),
    promoteCommand(),
    featureHistoryCommand(),
    undoCommand(),
  ]);
}

async function removeFeature(session: Session, { json, yes }: CommandOptions, name: string): Promise<void> {
  const found = await findFeature(session, name);
  const where = `of project "${found.item.project}"`;
  await confirmed(`Delete the feature "${name}" ${where}, with its variants in all environments?`, { yes });
  await deleteFeature(session, found);
  if (json) printJson({ deleted: name });
  else print(`Deleted the feature "${name}".`);
}
