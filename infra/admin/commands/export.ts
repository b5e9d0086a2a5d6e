/** `export [FILE]` */
import { writeFileSync } from "node:fs";
import type { Command } from "commander";
import type { Session } from "../../../lib/store/session.ts";
import { Refusal } from "../../refusal.ts";
import { command, type Options, onTable } from "../command.ts";
import { strangersOf } from "../plan/refuse-strangers.ts";
import { toState, toTarget } from "../plan/target.ts";
import { readAll } from "../read-all.ts";
import { andMore } from "../terminal/and-more.ts";
import { note, printJson } from "../terminal/output.ts";

export function exportCommand(): Command {
  return command("export", "Print all projects, features and API keys as a state file", {
    details:
      "The same content always gives the same text. What a key was is not known, so its hash stands in the " +
      "file; applied elsewhere, it makes the same key valid there.",
    examples: [
      ["export state.json", "keep what there is in a file"],
      ["export | jq '.features[].name'", "print it for another program"],
    ],
  })
    .argument("[file]", "write to this file instead")
    .action(onTable(exportState));
}

async function exportState(session: Session, _: Options, file?: string): Promise<void> {
  const all = toTarget(await readAll(session));
  const strangers = strangersOf(all);
  if (strangers.length > 0) {
    note(`This does not fit together, and \`apply\` will refuse it:\n${andMore(strangers, 20, "  ")}`);
  }
  if (file === undefined) printJson(toState(all));
  else write(file, `${JSON.stringify(toState(all), null, 2)}\n`);
}

function write(file: string, text: string): void {
  try {
    // It holds the hashes of keys: nobody else's to read.
    writeFileSync(file, text, { mode: 0o600 });
  } catch (error) {
    throw new Refusal(`${file} cannot be written: ${(error as Error).message}`);
  }
  note(`Written to ${file}.`);
}
