/** `project list | put` */
import { Command } from "commander";
import { listProjectsCommand } from "./project/list.ts";
import { putProjectCommand } from "./project/put.ts";

export function projectCommand(): Command {
  return new Command("project")
    .summary("List, create and change projects")
    .description("List, create and change projects.")
    .addCommand(listProjectsCommand())
    .addCommand(putProjectCommand());
}
