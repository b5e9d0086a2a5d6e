/** `key rotate NAME` */
import type { Command } from "commander";
import type { Stamp } from "../../../../lib/features/stores.ts";
import type { ApiKeyItem } from "../../../../lib/store/items.ts";
import type { Session } from "../../../../lib/store/session.ts";
import { Refusal } from "../../../refusal.ts";
import { putApiKey, revokeApiKey } from "../../../store/write-api-key.ts";
import { command, type Options, onTable } from "../../command.ts";
import { findKeys, isRetiring, newKey, revokeAll, showKey, stateOf } from "../../keys.ts";
import { createStamps, type OperatorSession } from "../../operator.ts";
import { toApiKey } from "../../plan/content.ts";
import { note } from "../../terminal/output.ts";
import { parseDuration, parseExpiry } from "../../times.ts";

interface RotateOptions extends Options {
  grace: string;
  expires?: string;
}

const details = `
The new key gets the name, the permissions and, unless --expires is given, the expiry of the old one. The old
key keeps its name and stays valid for --grace: "key list" shows it as retiring, and until when. Idempotency
keys are scoped to that name, so a retry with the new key is still recognised. --grace 0s revokes every older
key of the name at once, those of earlier rotations too.`;

export function rotateKeyCommand(): Command {
  return command("rotate", "Replace an API key by a new one; the old one stays valid for a while", {
    details,
    examples: [
      ["key rotate ci --grace 24h", "a day to roll out the new key"],
      ["key rotate ci --grace 0s", "after a leak: revoke every older key now"],
    ],
  })
    .argument("<name>", "the name of the key")
    .option("--grace <duration>", "how long the old one stays valid: 90s, 30m, 24h, 7d, 2w", "24h")
    .option("--expires <time>", "when the new one expires (RFC 3339, or a date)")
    .action(onTable(rotateKey));
}

async function rotateKey(session: OperatorSession, options: RotateOptions, name: string): Promise<void> {
  const graceMs = parseDuration(options.grace);
  const expires = options.expires === undefined ? undefined : parseExpiry(options.expires);
  const keys = await findKeys(session, name);
  const old = requireValid(name, keys, expires);
  const expiresAt = expires ?? old.expiresAt;
  const { key, keyHash } = newKey();
  const { permissions } = old;
  const members = { name, permissions, ...(expiresAt !== undefined && { expiresAt }), disabled: false };
  const newStamp = createStamps(session);
  const now = Date.now();
  const leaving = keys.filter((one) => !isRetiring(one) || stateOf(one) === "expired");
  const stored = await putApiKey(session, { ...members, keyHash }, { stamp: newStamp() });
  try {
    for (const one of leaving) await retire(session, one, endOf(one, now, graceMs), newStamp());
  } catch (error) {
    // Another command has revoked or rotated it. The first failure is reported; the new key was never printed.
    await revokeApiKey(session, stored, newStamp()).catch(() => {});
    throw error;
  }
  // Printed as soon as it is valid: the next step may fail.
  showKey(key, members, options);
  if (graceMs > 0) return note(`The old one is valid until ${endOf(old, now, graceMs)}.`);
  await revokeAll(session, name, { newStamp, keep: keyHash });
  note(`Every older key named "${name}" is revoked.`);
}

/** The key whose permissions and expiry the new one gets. */
function requireValid(name: string, keys: readonly ApiKeyItem[], expires: string | undefined): ApiKeyItem {
  const old = keys.find((key) => !isRetiring(key));
  if (!old) throw new Refusal(`the key "${name}" is retiring: create another with \`key create\``);
  const state = stateOf(old);
  if (state === "disabled") throw new Refusal(`the key "${name}" is disabled: enable it, or create another`);
  if (state === "expired" && expires === undefined) {
    throw new Refusal(`the key "${name}" has expired: give --expires for the new one`);
  }
  return old;
}

/** At its own expiry, if that comes before the time of grace ends. */
function endOf({ expiresAt }: ApiKeyItem, now: number, graceMs: number): string {
  const end = Math.min(now + graceMs, Date.parse(expiresAt ?? "") || Number.POSITIVE_INFINITY);
  return new Date(end).toISOString();
}

async function retire(session: Session, old: ApiKeyItem, expiresAt: string, stamp: Stamp): Promise<void> {
  if (expiresAt <= stamp.at) await revokeApiKey(session, old, stamp);
  else await putApiKey(session, { ...toApiKey(old), expiresAt, retiredAt: stamp.at }, { stored: old, stamp });
}
