/** Defines `feature`, with its commands. */
import type { Command } from "commander";
import { group } from "../command.ts";
import { createFeatureCommand } from "./create-feature.ts";
import { deleteFeatureCommand } from "./delete-feature.ts";
import { featureHistoryCommand } from "./history.ts";
import { listFeaturesCommand } from "./list-features.ts";
import { patchCommand } from "./patch.ts";
import { promoteCommand } from "./promote.ts";
import { restoreFeatureCommand } from "./restore-feature.ts";
import { rolloutCommand } from "./rollout.ts";
import { showFeatureCommand } from "./show-feature.ts";
import { switchCommand } from "./switch.ts";
import { undoCommand } from "./undo.ts";

export function featureCommands(): Command {
  return group("feature", "List, show, create, change, delete and restore features, and undo changes", [
    listFeaturesCommand(),
    showFeatureCommand(),
    createFeatureCommand(),
    deleteFeatureCommand(),
    restoreFeatureCommand(),
    switchCommand("on"),
    switchCommand("off"),
    rolloutCommand(),
    patchCommand(),
    promoteCommand(),
    featureHistoryCommand(),
    undoCommand(),
  ]);
}
