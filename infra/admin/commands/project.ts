/** `project list | put` */
import type { Command } from "commander";
import { group } from "../command.ts";
import { listProjectsCommand } from "./project/list.ts";
import { putProjectCommand } from "./project/put.ts";

export function projectCommand(): Command {
  return group("project", "List, create and change projects", [listProjectsCommand(), putProjectCommand()]);
}
