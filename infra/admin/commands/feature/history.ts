/** `feature history NAME` */
import type { Command } from "commander";
import type { ChangeInEnvironment, VariantChange } from "../../../../lib/contract/responses.ts";
import { listChanges } from "../../../../lib/features/changes.ts";
import type { Session } from "../../../../lib/store/session.ts";
import { createVariantStore } from "../../../../lib/store/variant-store.ts";
import { printable } from "../../../printable.ts";
import { command, type Options, onTable } from "../../command.ts";
import { findFeature } from "../../read-all.ts";
import { print, printJson } from "../../terminal/output.ts";

const details = `
Each environment keeps its newest change, and older ones while all of them fit in 1 KiB. With --json, print what
the API's list of changes has.`;

export function featureHistoryCommand(): Command {
  return command("history", "List the last changes of a feature's variants, newest first", {
    details,
    examples: [
      ["feature history checkout", "what changed, by whom, and what can be undone"],
      ["feature history checkout --json | jq -r '.changes[0].id'", "the id of the newest change"],
    ],
  })
    .argument("<name>", "the name of the feature")
    .action(onTable(showHistory));
}

async function showHistory(session: Session, { json }: Options, name: string): Promise<void> {
  const { project } = (await findFeature(session, name)).item;
  const target = { project, feature: name };
  const { changes } = await listChanges(createVariantStore(session), target, json ? "index" : "name");
  if (json) return printJson({ version: 1, changes });
  if (changes.length === 0) print(`The feature "${printable(name)}" has no changes since it was created.`);
  for (const { id, by, at, undoes, environments } of changes) {
    print(`${id}  ${at} by ${printable(by)}${undoes === undefined ? "" : `, undoes ${undoes}`}`);
    for (const one of environments) print(`    ${formatIn(one)}${one.canUndo ? " (can be undone)" : ""}`);
  }
}

/** What a change does to the variants of an environment; without its operations, that is not known any more. */
export function formatIn({ environment, changes }: Pick<ChangeInEnvironment, "environment" | "changes">) {
  const operations = changes?.map(formatOperation).join(", ") ?? "not known any more";
  return printable(`${environment}: ${operations || "no difference"}`);
}

function formatOperation({ op, path, from, value }: VariantChange): string {
  const rest = [from, path, value === undefined ? undefined : JSON.stringify(value)];
  return [op, ...rest.filter((part) => part !== undefined)].join(" ");
}
