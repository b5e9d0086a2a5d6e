/** Makes an API key for a command, shows it once, and says whether a key is active. */
import { randomBytes } from "node:crypto";
import { Option } from "commander";
import { hashKey, isValid } from "../../../../lib/access/authenticate.ts";
import type { Permission } from "../../../../lib/access/permissions.ts";
import { type ApiKeyItem, keyHashOf } from "../../../../lib/store/items/items.ts";
import { ConcurrentChange } from "../../../../lib/store/replace-item.ts";
import { note, print, printJson } from "../../../cli/output.ts";
import { type ApiKeyContent, isCurrent } from "../../../store/content.ts";
import { readApiKeys } from "../../../store/read-content.ts";
import { putApiKey, revokeApiKey } from "../../../store/write-api-key.ts";
import type { CommandOptions } from "../command.ts";
import { parseExpiry } from "../words/times.ts";
import type { OperatorSession } from "./with-table.ts";

export const expiry = new Option(
  "--expires <time>",
  "when the new key expires (RFC 3339, or a date)",
).argParser(parseExpiry);

/** Stores a new key. If two commands make the current key of a name at once, one of them gives up, or both do. */
export async function putNewKey(session: OperatorSession, key: ApiKeyContent): Promise<void> {
  await putApiKey(session, key, { stamp: session.newStamp() });
  const after = await readApiKeys(session);
  const own = after.find((one) => keyHashOf(one) === key.keyHash);
  if (!own || !isTaken(after, key)) return;
  await revokeApiKey(session, own, session.newStamp());
  throw new ConcurrentChange();
}

export function isTaken(keys: readonly ApiKeyItem[], { name, keyHash }: ApiKeyContent): boolean {
  return keys.some((one) => one.name === name && isCurrent(one) && keyHashOf(one) !== keyHash);
}

/** Makes 256 random bits behind a prefix that scanners for leaked secrets can recognise. */
export function makeApiKey(name: string, permissions: Permission[], expiresAt: string | undefined) {
  const key = `burgee_${randomBytes(32).toString("base64url")}`;
  const members = { name, permissions, ...(expiresAt !== undefined && { expiresAt }), disabled: false };
  return { key, stored: { ...members, keyHash: hashKey(key) } };
}

/** Prints only the key on the standard output, so that `KEY=$(burgee key create ...)` works. */
export function showKey({ key, stored }: ReturnType<typeof makeApiKey>, { json }: CommandOptions): void {
  const { keyHash, ...members } = stored;
  if (json) printJson({ ...members, key });
  else {
    note(`This is the key "${members.name}". It cannot be shown again: only its hash is stored.`);
    print(key);
  }
}

export function keyState({ disabled, expiresAt, retiredAt }: ApiKeyItem): string {
  if (disabled) return "disabled";
  if (!isValid({ expiresAt })) return "expired";
  return retiredAt === undefined ? "active" : "retiring";
}
