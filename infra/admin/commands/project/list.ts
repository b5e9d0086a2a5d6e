/** `project list` */
import type { Command } from "commander";
import type { Session } from "../../../../lib/store/session.ts";
import { command, type Options, onTable } from "../../command.ts";
import { toContent, toState } from "../../plan/content.ts";
import { readProjectsAndKeys } from "../../read-all.ts";
import { heading } from "../../terminal/colour.ts";
import { print, printJson } from "../../terminal/output.ts";
import { formatTable } from "../../terminal/table.ts";

export function listProjectsCommand(): Command {
  return command("list", "List the projects with their environments, in order", {
    examples: [["project list", "all projects"]],
  }).action(onTable(listProjects));
}

async function listProjects(session: Session, { json }: Options): Promise<void> {
  const { projects } = toState(toContent(await readProjectsAndKeys(session)));
  if (json) return printJson(projects);
  if (projects.length === 0) return print("There are no projects.");
  print(
    formatTable(
      ["project", "environments"],
      projects.map(({ id, environments }) => [id, environments.join(", ") || "none"]),
    ),
    heading,
  );
}
