/** `key create | list | revoke | rotate` */
import { randomBytes } from "node:crypto";
import { type Command, Option } from "commander";
import { hashKey } from "../../../lib/access/authenticate.ts";
import type { Permit } from "../../../lib/access/permissions.ts";
import type { ApiKeyItem } from "../../../lib/store/items.ts";
import type { Session } from "../../../lib/store/session.ts";
import { confirmed } from "../../cli/confirm.ts";
import { explain } from "../../cli/explain.ts";
import { note, print, printJson, printTable } from "../../cli/output.ts";
import { Refusal } from "../../cli/refusal.ts";
import { apiKeyStateSchema } from "../../state/schemas.ts";
import { type ApiKeyContent, compareKeys, isCurrent, toApiKey } from "../../store/content.ts";
import { readApiKeys, readProjects, untilListed } from "../../store/read-content.ts";
import { keyHashOf } from "../../store/read-table.ts";
import { concurrentChange, retryConflicts, unlessConflict } from "../../store/replace-item.ts";
import { putApiKey, revokeApiKey } from "../../store/write-api-key.ts";
import { command, group, type Options, onTable, requireValid } from "../command.ts";
import { findKeys, requireScope } from "../find.ts";
import { createCommand, formatPermit, parsePermit } from "../permits.ts";
import type { OperatorSession } from "../place.ts";
import { parseDuration, parseExpiry } from "../times.ts";

const expiry = new Option("--expires <time>", "when the new key expires (RFC 3339, or a date)").argParser(
  parseExpiry,
);

const createHelp = `Create an API key, and print it once

A permission is one of ADMIN (all of the others), READ (read, and send dry runs, as with the others), CLIENT (load
the documents of SDKs, and nothing else), UPDATE_FEATURE (change tags), UPDATE_FEATURE_ENVIRONMENT_VARIANTS (change
the variants of one environment), and UPDATE_FEATURE_VARIANTS (change those of all environments in one request; each
of them needs the former too).

It applies everywhere or in a project: PERM or PERM:project. ADMIN, CLIENT and UPDATE_FEATURE_ENVIRONMENT_VARIANTS can be
limited to an environment: PERM:project:environment, or 'PERM:*:environment' for that environment of every project.
Separate several by commas.`;

const revokeHelp = `Revoke every API key of a name, for good

Retiring ones are revoked too. A warm function may accept a revoked key for 30 seconds (keyCacheSeconds). A state
file that still has it makes it valid again. To disable a key for a while, apply a state file in which it has
"disabled": true.`;

const rotateHelp = `Replace an API key by a new one; the old one stays valid for a while

The new key gets the name, the permissions and, unless --expires is given, the expiry of the old one, which stays
valid for --grace: "key list" shows it as retiring. --grace 0s revokes every older key of the name at once, and asks
before.`;

export function keyCommands(): Command {
  return group("key", "Create, list, revoke and rotate API keys", [
    command("create", createHelp, [
      ["key create ci --permission UPDATE_FEATURE:default", "a key that may change tags in one project"],
      [
        "key create bot --permission READ:default",
        "a key that may see what a request would do, but not do it",
      ],
      ["key create shop --permission CLIENT:default:production", "a key for SDKs"],
      [
        "key create deploy --permission UPDATE_FEATURE_VARIANTS:default,UPDATE_FEATURE_ENVIRONMENT_VARIANTS:default",
        "a key that may change variants in all environments of a project",
      ],
      [
        "key create test --permission UPDATE_FEATURE_ENVIRONMENT_VARIANTS:default:development --expires 2030-01-01",
        "a key that may change variants in one environment, for a while",
      ],
    ])
      .argument("<name>", "its name in lists and in the log")
      .requiredOption("--permission <permission>", "PERM[:project[:environment]]; repeatable", addPermissions)
      .addOption(expiry)
      .action(onTable(createKey, { mayCreate: true })),
    command("list", "List the API keys with their state, permissions and expiry", [
      ["key list", "all keys"],
      [
        "key list --json | jq '.[] | select(.state == \"expired\").name'",
        "the names of those that have expired",
      ],
    ]).action(onTable(listKeys)),
    command("revoke", revokeHelp, [
      ["key revoke ci", "asks for confirmation"],
      ["key revoke ci --yes", "in a script"],
    ])
      .argument("<name>", "the name of the key")
      .option("-y, --yes", "do not ask")
      .action(onTable(revokeKeys)),
    command("rotate", rotateHelp, [
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
      .option("-y, --yes", "with --grace 0s: do not ask")
      .action(onTable(rotateKey)),
  ]);
}

/** Not variadic: an option with several values would consume the name too. */
function addPermissions(text: string, before: readonly Permit[] = []): Permit[] {
  return [...before, ...text.split(",").map(parsePermit)];
}

interface CreateOptions extends Options {
  permission: Permit[];
  expires?: string;
}

async function createKey(session: OperatorSession, options: CreateOptions, name: string): Promise<void> {
  const { permission, expires } = options;
  const made = await retryConflicts(async () => {
    const made = newKey(name, permission, expires);
    requireValid("key", apiKeyStateSchema, made.stored);
    if (isTaken(await readApiKeys(session), made.stored)) {
      throw new Refusal(`the key "${name}" already exists: rotate it, or choose another name`);
    }
    const projects = await readProjects(session);
    for (const permit of permission) requireScope(projects, permit);
    await putNewKey(session, made.stored);
    return made;
  });
  showKey(made, options);
}

/**
 * Of two commands that make the current key of a name at once, at least one finds the other's, and gives way. Both may
 * have.
 */
async function putNewKey(session: OperatorSession, key: ApiKeyContent): Promise<void> {
  await putApiKey(session, key, { stamp: session.newStamp() });
  const after = await readApiKeys(session);
  const own = after.find((one) => keyHashOf(one) === key.keyHash);
  if (!own || !isTaken(after, key)) return;
  await revokeApiKey(session, own, session.newStamp());
  throw concurrentChange();
}

function isTaken(keys: readonly ApiKeyItem[], { name, keyHash }: ApiKeyContent): boolean {
  return keys.some((one) => one.name === name && isCurrent(one) && keyHashOf(one) !== keyHash);
}

/** 256 random bits behind a prefix that scanners for leaked secrets can recognise. */
function newKey(name: string, permissions: Permit[], expiresAt: string | undefined) {
  const key = `burgee_${randomBytes(32).toString("base64url")}`;
  const members = { name, permissions, ...(expiresAt !== undefined && { expiresAt }), disabled: false };
  return { key, stored: { ...members, keyHash: hashKey(key) } };
}

/** Prints only the key on the standard output, so that `KEY=$(burgee key create ...)` works. */
function showKey({ key, stored }: ReturnType<typeof newKey>, { json }: Options): void {
  const { keyHash, ...members } = stored;
  if (json) printJson({ ...members, key });
  else {
    note(`This is the key "${members.name}". It cannot be shown again: only its hash is stored.`);
    print(key);
  }
}

async function listKeys(session: Session, { json }: Options): Promise<void> {
  const keys = (await readApiKeys(session)).sort(compareKeys).map((key) => {
    const { name, permissions, createdAt, expiresAt, retiredAt } = key;
    return { name, state: stateOf(key), permissions, createdAt, expiresAt, retiredAt };
  });
  if (json) return printJson(keys);
  const rows = keys.map(({ name, state, permissions, createdAt, expiresAt = "never" }) => {
    return [name, state, permissions.map(formatPermit).join(", ") || "none", createdAt, expiresAt];
  });
  printTable(["key", "state", "permissions", "created", "expires"], rows, "There are no keys.");
}

function stateOf({ disabled, expiresAt, retiredAt }: ApiKeyItem): string {
  if (disabled) return "disabled";
  if (expiresAt !== undefined && Date.parse(expiresAt) <= Date.now()) return "expired";
  return retiredAt === undefined ? "active" : "retiring";
}

async function revokeKeys(session: OperatorSession, { json, yes }: Options, name: string): Promise<void> {
  const { length } = await findKeys(session, name);
  await confirmed(`Revoke ${counted(length)} named "${name}" for good?`, { yes });
  let count = await revokeAll(session, name);
  // Another key that a rotation made a moment ago may not be in the index yet.
  await untilListed();
  count += await revokeAll(session, name);
  if (json) printJson({ revoked: name, count });
  else print(`Revoked ${counted(count)} named "${name}".`);
}

/** Revokes every key of a name. A concurrent rotation may create another, so it reads until none is left. */
async function revokeAll(
  session: OperatorSession,
  name: string,
  isMeant: (key: ApiKeyItem) => boolean = () => true,
): Promise<number> {
  for (let count = 0; ; ) {
    const keys = (await readApiKeys(session)).filter((key) => key.name === name && isMeant(key));
    if (keys.length === 0) return count;
    for (const key of keys) {
      await revokeApiKey(session, key, session.newStamp()).then(() => count++, unlessConflict);
    }
  }
}

function counted(keys: number): string {
  return keys === 1 ? "1 key" : `${keys} keys`;
}

interface RotateOptions extends Options {
  /** In milliseconds. */
  grace: number;
  expires?: string;
}

async function rotateKey(session: OperatorSession, options: RotateOptions, name: string): Promise<void> {
  const { grace, expires, yes } = options;
  const keys = await findKeys(session, name);
  const old = requireUsable(name, keys, expires);
  const question = `Revoke ${counted(keys.length)} named "${name}" for good, and make a new one?`;
  if (grace === 0) await confirmed(question, { yes });
  const made = newKey(name, old.permissions, expires ?? old.expiresAt);
  // At its own expiry, if that comes before the time of grace ends.
  const ends = [Date.now() + grace, ...(old.expiresAt === undefined ? [] : [Date.parse(old.expiresAt)])];
  const end = new Date(Math.min(...ends)).toISOString();
  const retired = { ...toApiKey(old), expiresAt: end, retiredAt: new Date().toISOString() };
  // The old one first: if another command has changed it since, such as a rotation, this one ends before it makes a key.
  await putApiKey(session, retired, { stored: old, stamp: session.newStamp() });
  await putNewKey(session, made.stored).catch((error) => {
    const advice = `the old key ends at ${end}, and there may be no new one: run ${createCommand(name, old.permissions)}`;
    const reason = explain(error, options, advice);
    throw reason === undefined ? error : new Refusal(reason);
  });
  // Printed as soon as it is valid: the next step may fail.
  showKey(made, options);
  const older = new Set(keys.map(keyHashOf));
  const isOver = (key: ApiKeyItem) =>
    older.has(keyHashOf(key)) && (grace === 0 || stateOf(key) === "expired");
  await revokeAll(session, name, isOver);
  note(grace > 0 ? `The old one is valid until ${end}.` : `Every older key named "${name}" is revoked.`);
}

/** The key whose permissions and expiry the new one gets. */
function requireUsable(name: string, keys: readonly ApiKeyItem[], expires: string | undefined): ApiKeyItem {
  const old = keys.find(isCurrent);
  if (!old) throw new Refusal(`the key "${name}" is retiring: create another with \`key create\``);
  const state = stateOf(old);
  if (state === "disabled") throw new Refusal(`the key "${name}" is disabled: enable it, or create another`);
  if (state === "expired" && expires === undefined) {
    throw new Refusal(`the key "${name}" has expired: give --expires for the new one`);
  }
  return old;
}
