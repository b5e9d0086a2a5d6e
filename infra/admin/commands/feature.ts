/** `feature list | show | create | delete` */
import type { Command } from "commander";
import { group } from "../command.ts";
import { createFeatureCommand } from "./feature/create.ts";
import { deleteFeatureCommand } from "./feature/delete.ts";
import { listFeaturesCommand } from "./feature/list.ts";
import { showFeatureCommand } from "./feature/show.ts";

export function featureCommand(): Command {
  return group("feature", "List, show, create and delete features", [
    listFeaturesCommand(),
    showFeatureCommand(),
    createFeatureCommand(),
    deleteFeatureCommand(),
  ]);
}
