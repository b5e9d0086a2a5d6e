/** `feature list | show | create | delete` */
import { Command } from "commander";
import { createFeatureCommand } from "./feature/create.ts";
import { deleteFeatureCommand } from "./feature/delete.ts";
import { listFeaturesCommand } from "./feature/list.ts";
import { showFeatureCommand } from "./feature/show.ts";

export function featureCommand(): Command {
  return new Command("feature")
    .summary("List, show, create and delete features")
    .description("List, show, create and delete features.")
    .addCommand(listFeaturesCommand())
    .addCommand(showFeatureCommand())
    .addCommand(createFeatureCommand())
    .addCommand(deleteFeatureCommand());
}
