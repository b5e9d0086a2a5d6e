/** `key rotate NAME` */
import type { Command } from "commander";
import { ConflictError } from "../../../../lib/contract/errors.ts";
import type { Stamp } from "../../../../lib/features/stores.ts";
import type { ApiKeyItem } from "../../../../lib/store/items.ts";
import type { Session } from "../../../../lib/store/session.ts";
import { Refusal } from "../../../refusal.ts";
import type { NewApiKey } from "../../../store/new-items.ts";
import { concurrentChange } from "../../../store/or-conflict.ts";
import { putApiKey, revokeApiKey } from "../../../store/write-api-key.ts";
import { command, type Options, onTable } from "../../command.ts";
import { findKeys, isRetiring, newKey, showKey, stateOf } from "../../keys.ts";
import { createStamps, type OperatorSession } from "../../operator.ts";
import { toApiKey } from "../../plan/content.ts";
import { note } from "../../terminal/output.ts";
import { parseDuration, parseExpiry } from "../../times.ts";
import { revokeAll } from "./revoke-all.ts";

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
  const current = keys.filter((key) => !isRetiring(key));
  const { permissions, expiresAt } = requireValid(name, current, expires);
  const { key, keyHash } = newKey();
  const members = { name, permissions, ...(expiresAt !== undefined && { expiresAt }), disabled: false };
  const newStamp = createStamps(session);
  const until = await replace(session, current, { successor: { ...members, keyHash }, graceMs, newStamp });
  // Printed as soon as it is valid: the next step may fail.
  showKey(key, members, options);
  if (graceMs === 0) {
    await revokeAll(session, name, { newStamp, keep: keyHash });
    return note(`Every older key named "${name}" is revoked.`);
  }
  note(until === undefined ? "The old one had expired." : `The old one is valid until ${until}.`);
  const over = keys.filter((one) => isRetiring(one) && stateOf(one) === "expired");
  for (const one of over) await revokeApiKey(session, one, newStamp());
}

/** The key whose permissions and expiry the new one gets. */
function requireValid(
  name: string,
  [old]: readonly ApiKeyItem[],
  expires: string | undefined,
): Pick<ApiKeyItem, "permissions" | "expiresAt"> {
  if (!old) throw new Refusal(`the key "${name}" is retiring: create another with \`key create\``);
  const state = stateOf(old);
  if (state === "disabled") throw new Refusal(`the key "${name}" is disabled: enable it, or create another`);
  if (state === "expired" && expires === undefined) {
    throw new Refusal(`the key "${name}" has expired: give --expires for the new one`);
  }
  return { ...old, ...(expires !== undefined && { expiresAt: expires }) };
}

/**
 * Stores the new key first, and revokes it if another command has revoked or rotated the old one meanwhile.
 * Returns when the old one expires.
 */
async function replace(
  session: Session,
  current: readonly ApiKeyItem[],
  { successor, graceMs, newStamp }: { successor: NewApiKey; graceMs: number; newStamp: () => Stamp },
): Promise<string | undefined> {
  const stored = await putApiKey(session, successor, { stamp: newStamp() });
  try {
    const ends = [];
    for (const old of current) ends.push(await retire(session, old, graceMs, newStamp()));
    return ends[0];
  } catch (error) {
    // The first failure is reported. A key that is left over was never printed, and the next rotation revokes it.
    await revokeApiKey(session, stored, newStamp()).catch(() => {});
    throw error instanceof ConflictError ? new Refusal(`key "${successor.name}": ${error.message}`) : error;
  }
}

/** Returns when the key expires from now on; undefined if it is no longer valid. */
async function retire(
  session: Session,
  old: ApiKeyItem,
  graceMs: number,
  stamp: Stamp,
): Promise<string | undefined> {
  const now = Date.parse(stamp.at);
  const end = Math.min(now + graceMs, Date.parse(old.expiresAt ?? "") || Number.POSITIVE_INFINITY);
  if (end <= now) {
    if (!(await revokeApiKey(session, old, stamp))) throw concurrentChange();
    return undefined;
  }
  const expiresAt = new Date(end).toISOString();
  await putApiKey(session, { ...toApiKey(old), expiresAt, retiredAt: stamp.at }, { stored: old, stamp });
  return expiresAt;
}
