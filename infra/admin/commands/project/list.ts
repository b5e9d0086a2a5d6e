/** `project list` */
import type { Command } from "commander";
import type { Session } from "../../../../lib/store/session.ts";
import { command, type Options, onTable } from "../../command.ts";
import { toContent, toState } from "../../plan/content.ts";
import { readProjectsAndKeys } from "../../read-all.ts";
import { printJson, printTable } from "../../terminal/output.ts";

export function listProjectsCommand(): Command {
  return command("list", "List the projects with their environments, in order", {
    examples: [["project list", "all projects"]],
  }).action(onTable(listProjects));
}

async function listProjects(session: Session, { json }: Options): Promise<void> {
  const { projects } = toState(toContent(await readProjectsAndKeys(session)));
  if (json) return printJson(projects);
  const rows = projects.map(({ id, environments }) => [id, environments.join(", ") || "none"]);
  printTable(["project", "environments"], rows, "There are no projects.");
}
