/** `key revoke NAME` */
import type { Command } from "commander";
import type { Session } from "../../../../lib/store/session.ts";
import { deleteItem } from "../../../store/delete-item.ts";
import { command, type Options, onTable } from "../../command.ts";
import { findKey, readKeys } from "../../keys.ts";
import { confirmed } from "../../terminal/confirm.ts";
import { print, printJson } from "../../terminal/output.ts";

interface RevokeOptions extends Options {
  yes?: boolean;
}

const details = `
The key is removed: it is valid no more, and its name is free again. A function that has just seen it takes
it for as long as it keeps valid keys in memory (KEY_CACHE_SECONDS, 30 unless set otherwise). To switch a
key off for a while, apply a state file in which it has "disabled": true.`;

export function revokeKeyCommand(): Command {
  return command("revoke", "Remove an API key for good", {
    details,
    examples: [
      ["key revoke ci", "after a question"],
      ["key revoke ci --yes", "in a script"],
    ],
  })
    .argument("<name>", "the name of the key")
    .option("-y, --yes", "do not ask")
    .action(onTable(revokeKey));
}

async function revokeKey(session: Session, { json, yes }: RevokeOptions, name: string): Promise<void> {
  const key = findKey(await readKeys(session), name);
  await confirmed(`Revoke the key "${name}" for good?`, { yes });
  await deleteItem(session, key);
  if (json) printJson({ revoked: name });
  else print(`The key "${name}" is revoked.`);
}
