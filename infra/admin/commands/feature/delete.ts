/** `feature delete NAME` */
import type { Command } from "commander";
import type { Session } from "../../../../lib/store/session.ts";
import { deleteFeature } from "../../../store/write-feature.ts";
import { command, type Options, onTable } from "../../command.ts";
import { findFeature } from "../../read-all.ts";
import { confirmed } from "../../terminal/confirm.ts";
import { print, printJson } from "../../terminal/output.ts";

interface DeleteOptions extends Options {
  yes?: boolean;
}

export function deleteFeatureCommand(): Command {
  return command("delete", "Delete a feature with its tags and all of its variants", {
    examples: [
      ["feature delete checkout", "asks for confirmation"],
      ["feature delete checkout --yes", "in a script"],
    ],
  })
    .argument("<name>", "the name of the feature")
    .option("-y, --yes", "do not ask")
    .action(onTable(removeFeature));
}

async function removeFeature(session: Session, { json, yes }: DeleteOptions, name: string): Promise<void> {
  const found = await findFeature(session, name);
  const where = `of project "${found.item.project}"`;
  await confirmed(`Delete the feature "${name}" ${where}, with its variants in all environments?`, { yes });
  await deleteFeature(session, name, found);
  if (json) printJson({ deleted: name });
  else print(`Deleted the feature "${name}".`);
}
