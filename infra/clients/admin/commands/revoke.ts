/** Defines `key revoke`. */
import type { Command } from "commander";
import type { ApiKeyItem } from "../../../../lib/store/items/items.ts";
import { ignoreConflict } from "../../../../lib/store/replace-item.ts";
import { requireConfirmation } from "../../../cli/confirm.ts";
import { print, printJson } from "../../../cli/output.ts";
import { readApiKeys, untilListed } from "../../../store/read-content.ts";
import { revokeApiKey } from "../../../store/write-api-key.ts";
import { type CommandOptions, command, onTable, reasonOption } from "../command.ts";
import { findKeys } from "../table/find.ts";
import type { OperatorSession } from "../table/with-table.ts";

const help = `Revoke every API key of a name, for good

Keys that a rotation has retired are revoked too. A function may accept a revoked key for another 30 seconds
(KeyCacheSeconds). Applying a state file that still has the key makes it valid again. To disable a key for a while, apply a state file in which it has
"disabled": true.`;

export function revokeCommand(): Command {
  return command("revoke", help, [
    ["key revoke ci", "asks for confirmation"],
    ["key revoke ci --yes", "in a script"],
  ])
    .argument("<name>", "the name of the key")
    .addOption(reasonOption())
    .option("-y, --yes", "do not ask")
    .action(onTable(revokeKeys));
}

async function revokeKeys(
  session: OperatorSession,
  { json, yes }: CommandOptions,
  name: string,
): Promise<void> {
  const { length } = await findKeys(session, name);
  await requireConfirmation(`Revoke ${counted(length)} named "${name}" for good?`, { yes });
  let count = await revokeAll(session, name);
  // Another key that a rotation made a moment ago may not be in the index yet.
  await untilListed(session);
  count += await revokeAll(session, name);
  if (json) printJson({ revoked: name, count });
  else print(`Revoked ${counted(count)} named "${name}".`);
}

/** Revokes every key of a name. A concurrent rotation may create another, so it reads until none is left. */
export async function revokeAll(
  session: OperatorSession,
  name: string,
  isMeant: (key: ApiKeyItem) => boolean = () => true,
): Promise<number> {
  for (let count = 0; ; ) {
    const keys = (await readApiKeys(session)).filter((key) => key.name === name && isMeant(key));
    if (keys.length === 0) return count;
    for (const key of keys) {
      await revokeApiKey(session, key, session.newStamp()).then(() => count++, ignoreConflict);
    }
  }
}

export function counted(keys: number): string {
  return keys === 1 ? "1 key" : `${keys} keys`;
}
