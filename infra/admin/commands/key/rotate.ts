/** `key rotate NAME` */
import type { Command } from "commander";
import type { ApiKeyItem } from "../../../../lib/store/items.ts";
import type { Session } from "../../../../lib/store/session.ts";
import { Refusal } from "../../../refusal.ts";
import { deleteItem } from "../../../store/delete-item.ts";
import { putApiKey } from "../../../store/put-api-key.ts";
import { putItem } from "../../../store/put-item.ts";
import { command, type Options, onTable } from "../../command.ts";
import { findKey, newKey, readKeys, stateOf, tellKey } from "../../keys.ts";
import { note } from "../../terminal/output.ts";
import { parseDuration, parseExpiry } from "../../times.ts";

interface RotateOptions extends Options {
  grace: string;
  expires?: string;
}

const details = `
The new key has the name, the permissions and, unless --expires is given, the time of expiry of the old one.
The old one stays valid for --grace, listed as "NAME (until TIME)"; --grace 0s ends it at once. Older ones of
that kind, whose time is over, are removed.`;

export function rotateKeyCommand(): Command {
  return command("rotate", "Make a new API key in place of one, which stays valid for a while", {
    details,
    examples: [
      ["key rotate ci --grace 24h", "a day to bring the new key to where it is used"],
      ["key rotate ci --grace 0s", "after a leak: the old one ends now"],
    ],
  })
    .argument("<name>", "the name of the key")
    .option("--grace <duration>", "how long the old one stays valid: 90s, 30m, 24h, 7d, 2w", "24h")
    .option("--expires <time>", "the new one is valid until then (RFC 3339, or a day)")
    .action(onTable(rotateKey));
}

async function rotateKey(session: Session, options: RotateOptions, name: string): Promise<void> {
  const graceMs = parseDuration(options.grace);
  const expires = options.expires === undefined ? undefined : parseExpiry(options.expires);
  const keys = await readKeys(session);
  const old = findKey(keys, name);
  const isOver = stateOf(old);
  if (isOver === "disabled") throw new Refusal(`the key "${name}" is disabled: enable it, or create another`);
  if (isOver === "expired" && expires === undefined) {
    throw new Refusal(`the key "${name}" has expired: give --expires for the new one`);
  }
  const expiresAt = expires ?? old.expiresAt;
  const { key, keyHash } = newKey();
  const members = {
    name,
    permissions: old.permissions,
    ...(expiresAt !== undefined && { expiresAt }),
    disabled: false,
  };
  const leaving = await retire(session, old, graceMs);
  await orAsItWas(session, old, () => putApiKey(session, { ...members, keyHash }));
  tellKey(key, members, options);
  note(`The old one is "${leaving.name}" now.`);
  for (const one of keys) {
    if (one.name.startsWith(`${name} (until `) && stateOf(one) === "expired") await deleteItem(session, one);
  }
}

/** It gets another name first: at no moment do two keys have the same. */
async function retire(session: Session, old: ApiKeyItem, graceMs: number): Promise<ApiKeyItem> {
  const end = Math.min(Date.now() + graceMs, Date.parse(old.expiresAt ?? "") || Number.POSITIVE_INFINITY);
  const expiresAt = new Date(end).toISOString();
  const leaving = { ...old, name: `${old.name} (until ${expiresAt})`, expiresAt };
  await putItem(session, leaving);
  return leaving;
}

async function orAsItWas(session: Session, old: ApiKeyItem, put: () => Promise<void>): Promise<void> {
  try {
    await put();
  } catch (error) {
    await putItem(session, old);
    throw error;
  }
}
