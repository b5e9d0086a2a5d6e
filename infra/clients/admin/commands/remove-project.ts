/** Defines `project remove`. */
import type { Command } from "commander";
import type { Session } from "../../../../lib/store/dynamodb/session.ts";
import { type ProjectItem, projectTableKey } from "../../../../lib/store/items/items.ts";
import { featureList } from "../../../../lib/store/items/lists.ts";
import { getItem } from "../../../../lib/store/read-items.ts";
import { readList } from "../../../../lib/store/read-lists.ts";
import { replaceItem } from "../../../../lib/store/replace-item.ts";
import { requireConfirmation } from "../../../cli/confirm.ts";
import { didYouMean } from "../../../cli/did-you-mean.ts";
import { andMore, print, printJson } from "../../../cli/output.ts";
import { printable } from "../../../cli/printable.ts";
import { Refusal } from "../../../cli/refusal.ts";
import { deleteProject } from "../../../store/delete-project.ts";
import { projectItem } from "../../../store/key-and-project-items.ts";
import { readApiKeys, readProjects, untilListed } from "../../../store/read-content.ts";
import { type CommandOptions, command, onTable, reasonOption } from "../command.ts";
import type { OperatorSession } from "../table/with-table.ts";

const help = `Remove a project without features

API keys whose permissions name the project stay as they are, and are listed. Their permissions apply to a later project
of the same name.`;

export function removeProjectCommand(): Command {
  return command("remove", help, [
    ["project remove defualt", "asks for confirmation"],
    ["project remove defualt --yes", "in a script"],
  ])
    .argument("<id>", "the project")
    .addOption(reasonOption())
    .option("-y, --yes", "do not ask")
    .action(onTable(removeProject));
}

async function removeProject(
  session: OperatorSession,
  { json, yes }: CommandOptions,
  id: string,
): Promise<void> {
  const stored = await getItem<ProjectItem>(session, projectTableKey(id));
  if (!stored) {
    const known = [...(await readProjects(session)).keys()];
    throw new Refusal(`there is no project "${id}"${didYouMean(id, known)}`);
  }
  await requireNoFeatures(session, id);
  const keys = await keysNaming(session, id);
  const what = keys.length === 0 ? {} : { what: `These keys name it: ${keys.join(", ")}` };
  await requireConfirmation(`Remove the project "${id}"?`, { yes, ...what });
  await deleteProject(session, stored, session.newStamp());
  // A feature that was created meanwhile may not be in the index yet.
  await untilListed(session);
  await requireNoFeatures(session, id).catch(async (error) => {
    const item = projectItem(id, stored.environments, stored.creation);
    await replaceItem(session, undefined, () => item);
    throw error;
  });
  if (json) return printJson({ removed: id, keys });
  print(printable(`Removed the project "${id}".`));
  if (keys.length > 0) print(printable(`Keys that still name it: ${keys.join(", ")}.`));
}

async function requireNoFeatures(session: Session, id: string): Promise<void> {
  const list = { list: featureList(id), attributes: ["listedAs"] };
  const features = (await readList<{ listedAs: string }>(session, list)) ?? [];
  if (features.length === 0) return;
  const names = features.map(({ listedAs }) => printable(`"${listedAs}"`));
  throw new Refusal(`the project "${id}" has features; delete them first:\n${andMore(names, 20, "    ")}`);
}

/** Returns the names of keys, each once: a retiring key has the name of its successor. */
async function keysNaming(session: Session, id: string): Promise<string[]> {
  const naming = (await readApiKeys(session)).filter(({ permissions }) =>
    permissions.some(({ project }) => project === id),
  );
  return [...new Set(naming.map(({ name }) => name))].sort();
}
