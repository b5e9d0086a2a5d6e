/** Defines `key rotate`. */
import { type Command, Option } from "commander";
import { type ApiKeyItem, keyHashOf } from "../../../../lib/store/items/items.ts";
import { requireConfirmation } from "../../../cli/confirm.ts";
import { explain } from "../../../cli/explain.ts";
import { note } from "../../../cli/output.ts";
import { Refusal } from "../../../cli/refusal.ts";
import { isCurrent, toApiKey } from "../../../store/content.ts";
import { putApiKey } from "../../../store/write-api-key.ts";
import { type CommandOptions, command, onTable, reasonOption } from "../command.ts";
import { expiry, keyState, makeApiKey, putNewKey, showKey } from "../table/api-key.ts";
import { findKeys } from "../table/find.ts";
import type { OperatorSession } from "../table/with-table.ts";
import { createCommand } from "../words/permissions.ts";
import { parseDuration } from "../words/times.ts";
import { counted, revokeAll } from "./revoke.ts";

const help = `Replace an API key by a new one; the old one stays valid for a while

The new key gets the name, the permissions and, unless --expires is given, the expiry of the old one, which stays
valid for --grace: "key list" shows it as retiring. --grace 0s revokes every older key of the name at once, and asks
before.`;

export function rotateCommand(): Command {
  return command("rotate", help, [
    ["key rotate ci --grace 24h", "a day to roll out the new key"],
    ["key rotate ci --grace 0s --yes", "after a leak: revoke every older key now, without asking"],
  ])
    .argument("<name>", "the name of the key")
    .addOption(
      new Option("--grace <duration>", "how long the old one stays valid: 90s, 30m, 24h, 7d, 2w")
        .argParser(parseDuration)
        .default(parseDuration("24h"), "24h"),
    )
    .addOption(expiry)
    .addOption(reasonOption())
    .option("-y, --yes", "with --grace 0s: do not ask")
    .action(onTable(rotateKey));
}

interface RotateOptions extends CommandOptions {
  /** The milliseconds for which the old key stays valid. */
  grace: number;
  expires?: string;
}

async function rotateKey(session: OperatorSession, options: RotateOptions, name: string): Promise<void> {
  const { grace, expires, yes } = options;
  const keys = await findKeys(session, name);
  const old = requireUsable(name, keys, expires);
  const question = `Revoke ${counted(keys.length)} named "${name}" for good, and make a new one?`;
  if (grace === 0) await requireConfirmation(question, { yes });
  const made = makeApiKey(name, old.permissions, expires ?? old.expiresAt);
  // The old key ends with the grace period, or at its own expiry if that comes first.
  const ends = [Date.now() + grace, ...(old.expiresAt === undefined ? [] : [Date.parse(old.expiresAt)])];
  const end = new Date(Math.min(...ends)).toISOString();
  const retired = { ...toApiKey(old), expiresAt: end, retiredAt: new Date().toISOString() };
  // Writes the old key first: if another command, such as a rotation, has changed it, this one ends before it makes a key.
  await putApiKey(session, retired, { stored: old, stamp: session.newStamp() });
  await putNewKey(session, made.stored).catch((error) => {
    const advice = `the old key ends at ${end}, and there may be no new one: run ${createCommand(name, old.permissions)}`;
    const reason = explain(error, options, advice);
    throw reason === undefined ? error : new Refusal(reason);
  });
  // Prints the key as soon as it is valid: the next step may fail.
  showKey(made, options);
  const older = new Set(keys.map(keyHashOf));
  const isOver = (key: ApiKeyItem) =>
    older.has(keyHashOf(key)) && (grace === 0 || keyState(key) === "expired");
  await revokeAll(session, name, isOver);
  note(grace > 0 ? `The old one is valid until ${end}.` : `Every older key named "${name}" is revoked.`);
}

/** Returns the current key, whose permissions and expiry the new one gets. */
function requireUsable(name: string, keys: readonly ApiKeyItem[], expires: string | undefined): ApiKeyItem {
  const old = keys.find(isCurrent);
  if (!old) throw new Refusal(`the key "${name}" is retiring: create another with \`key create\``);
  const state = keyState(old);
  if (state === "disabled") throw new Refusal(`the key "${name}" is disabled: enable it, or create another`);
  if (state === "expired" && expires === undefined) {
    throw new Refusal(`the key "${name}" has expired: give --expires for the new one`);
  }
  return old;
}
