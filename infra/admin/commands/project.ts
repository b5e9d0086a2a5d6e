/** `project list | put` */
import { Command } from "commander";
import { listProjectsCommand } from "./project/list.ts";
import { putProjectCommand } from "./project/put.ts";

export function projectCommand(): Command {
  return new Command("project")
    .summary("List projects, and make or change them")
    .description("List projects, and make or change them.")
    .addCommand(listProjectsCommand())
    .addCommand(putProjectCommand());
}
