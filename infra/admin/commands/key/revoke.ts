/** `key revoke NAME` */
import type { Command } from "commander";
import type { Session } from "../../../../lib/store/session.ts";
import { command, type Options, onTable } from "../../command.ts";
import { findKeys, isRetiring, revokeAll } from "../../keys.ts";
import { createStamps, type OperatorSession } from "../../operator.ts";
import { confirmed } from "../../terminal/confirm.ts";
import { print, printJson } from "../../terminal/output.ts";

interface RevokeOptions extends Options {
  yes?: boolean;
}

const details = `
Every key of the name is revoked, retiring ones included, and the name is free again. A warm function may
accept a revoked key until its cache expires (keyCacheSeconds in infra/settings.yml: 30). A state file that still
has a revoked key makes it valid again when it is applied. To disable a key for a while, apply a state file in
which it has "disabled": true.`;

export function revokeKeyCommand(): Command {
  return command("revoke", "Revoke every API key of a name, for good", {
    details,
    examples: [
      ["key revoke ci", "asks for confirmation"],
      ["key revoke ci --yes", "in a script"],
    ],
  })
    .argument("<name>", "the name of the key")
    .option("-y, --yes", "do not ask")
    .action(onTable(revokeKey));
}

async function revokeKey(
  session: OperatorSession,
  { json, yes }: RevokeOptions,
  name: string,
): Promise<void> {
  await confirmed(await questionFor(session, name), { yes });
  const count = await revokeAll(session, name, { newStamp: createStamps(session) });
  if (json) printJson({ revoked: name, count });
  else print(`Revoked ${count} ${count === 1 ? "key" : "keys"} named "${name}".`);
}

async function questionFor(session: Session, name: string): Promise<string> {
  const keys = await findKeys(session, name);
  const retiring = keys.filter(isRetiring).length;
  const which = retiring === 0 ? "" : ` (${retiring} of them retiring)`;
  return keys.length === 1
    ? `Revoke the key "${name}" for good?`
    : `Revoke all ${keys.length} keys named "${name}"${which} for good?`;
}
