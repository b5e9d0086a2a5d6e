/** Defines `project list | put`, and `project remove`. */
import { isDeepStrictEqual } from "node:util";
import type { Command } from "commander";
import type { Session } from "../../../../lib/store/dynamodb/session.ts";
import { requireConfirmation } from "../../../cli/confirm.ts";
import { didYouMeanOr, listOf } from "../../../cli/did-you-mean.ts";
import { printJson, printTable } from "../../../cli/output.ts";
import { Refusal, UsageError } from "../../../cli/refusal.ts";
import { projectStateSchema } from "../../../state/state-file-schemas.ts";
import type { TableContent } from "../../../store/content.ts";
import { merge } from "../../../store/merge.ts";
import { readProjects, untilListed } from "../../../store/read-content.ts";
import { type CommandOptions, command, group, onTable, reasonOption, requireValid } from "../command.ts";
import { applyContent, printOutcome } from "../table/apply-content.ts";
import type { OperatorSession } from "../table/with-table.ts";
import { removeProjectCommand } from "./remove-project.ts";

const putHelp = `Create a project, or set its environments

The project then has exactly these environments, in this order; a patch responds with the first one's variants. All features
of the project get a new environment, without variants. An environment that a feature has cannot be removed. The command
asks before it creates a project beside others, as the name may be mistyped. \`history\` has the creation alone, with its
reason.`;

export function projectCommands(): Command {
  return group("project", "List, create and change projects", [
    command("list", "List the projects with their environments, in order", [
      ["project list", "all projects"],
    ]).action(onTable(listProjects)),
    command("put", putHelp, [
      ["project put default development staging production", "three environments, in this order"],
    ])
      .argument("<id>", "the project")
      .argument("<environments...>", "its environments, in order")
      .option("--dry-run", "print the differences, and change nothing")
      .addOption(reasonOption())
      .option("-y, --yes", "do not ask")
      .action(onTable(putProject, { mayCreate: true })),
    removeProjectCommand(),
  ]);
}

async function listProjects(session: Session, { json }: CommandOptions): Promise<void> {
  // In order of id.
  const projects = [...(await readProjects(session))].map(([id, environments]) => ({ id, environments }));
  if (json) return printJson(projects);
  const rows = projects.map(({ id, environments }) => [id, environments.join(", ") || "none"]);
  printTable(["project", "environments"], rows, "There are no projects.");
}

async function putProject(
  session: OperatorSession,
  options: CommandOptions,
  id: string,
  environments: string[],
): Promise<void> {
  requireValid("project", projectStateSchema, { id, environments });
  const twice = environments.find((name, index) => environments.indexOf(name) !== index);
  if (twice !== undefined) throw new UsageError(`environment "${twice}" is listed twice`);
  if (!options.dryRun) await confirmNew(session, options, id);
  let added: readonly string[] | undefined;
  const toWanted = (now: TableContent) => {
    const before = now.projects.get(id);
    requireUnused(
      now,
      id,
      (before ?? []).filter((name) => !environments.includes(name)),
    );
    added ??= before ? environments.filter((name) => !before.includes(name)) : [];
    return withProject(now, id, environments, added);
  };
  // `requireUnused` refuses environments that features have, so there is nothing to confirm.
  const consent = { ...options, yes: true };
  const { writes, unchanged } = await applyContent(session, consent, toWanted);
  const later = [];
  if (!options.dryRun && writes.some(({ action }) => action === "update")) {
    // Completes features that were created meanwhile, unless another command has changed the project since.
    await untilListed(session);
    const isOurs = (now: TableContent) => isDeepStrictEqual(now.projects.get(id), environments);
    const found = await applyContent(session, consent, (now) => (isOurs(now) ? toWanted(now) : now));
    later.push(...found.writes);
  }
  printOutcome(options, { writes: [...writes, ...later], unchanged });
}

/** Refuses to remove environments that features have. */
function requireUnused({ features }: TableContent, id: string, removed: readonly string[]): void {
  const having = [...features.values()].filter(
    ({ project, environments }) => project === id && removed.some((name) => environments.has(name)),
  );
  if (having.length === 0) return;
  const used = removed.filter((name) => having.some(({ environments }) => environments.has(name)));
  throw new Refusal(
    `${listOf(used)} cannot be removed from project "${id}", because features have what is removed: ` +
      `${listOf(having.map(({ name }) => name))}; delete these features first, or list all of the environments`,
  );
}

/** Asks before it creates a project, unless this is the first one of the table. */
async function confirmNew(session: Session, { yes }: CommandOptions, id: string): Promise<void> {
  const known = [...(await readProjects(session)).keys()];
  if (known.length === 0 || known.includes(id)) return;
  const question = `There is no project "${id}"${didYouMeanOr(id, known, "known projects:")}. Create "${id}"?`;
  await requireConfirmation(question, { yes });
}

/** Merges what a state file would list: the project, and its features with the new environments. */
function withProject(
  now: TableContent,
  id: string,
  environments: string[],
  added: readonly string[],
): TableContent {
  const features = [...now.features.values()]
    .filter(({ project }) => project === id)
    .map((feature) => {
      const all = [...added, ...feature.environments.keys()].map((name) => [name, {}]);
      return { ...feature, tags: [], environments: Object.fromEntries(all) };
    });
  const merged = merge(now, { projects: [{ id, environments }], features, apiKeys: [] });
  return { ...merged, projects: new Map([...merged.projects, [id, environments]]) };
}
