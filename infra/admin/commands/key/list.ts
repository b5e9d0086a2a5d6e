/** `key list` */
import type { Command } from "commander";
import type { Session } from "../../../../lib/store/session.ts";
import { command, type Options, onTable } from "../../command.ts";
import { readKeys, stateOf } from "../../keys.ts";
import { formatPermit } from "../../permits.ts";
import { compareKeys } from "../../plan/content.ts";
import { printJson, printTable } from "../../terminal/output.ts";

export function listKeysCommand(): Command {
  return command("list", "List the API keys with their state, permissions and expiry", {
    examples: [
      ["key list", "all keys"],
      [
        "key list --json | jq '.[] | select(.state == \"expired\").name'",
        "the names of those that have expired",
      ],
    ],
  }).action(onTable(listKeys));
}

async function listKeys(session: Session, { json }: Options): Promise<void> {
  const keys = (await readKeys(session)).sort(compareKeys).map((key) => {
    const { name, permissions, createdAt, expiresAt, retiredAt } = key;
    return { name, state: stateOf(key), permissions, createdAt, expiresAt, retiredAt };
  });
  if (json) return printJson(keys);
  const rows = keys.map(({ name, state, permissions, createdAt, expiresAt = "never" }) => {
    return [name, state, permissions.map(formatPermit).join(", ") || "none", createdAt, expiresAt];
  });
  printTable(["key", "state", "permissions", "created", "expires"], rows, "There are no keys.");
}
