/** `key list` */
import type { Command } from "commander";
import type { ApiKeyItem } from "../../../../lib/store/items.ts";
import type { Session } from "../../../../lib/store/session.ts";
import { command, type Options, onTable } from "../../command.ts";
import { readKeys, stateOf } from "../../keys.ts";
import { formatPermit } from "../../permits.ts";
import { compareKeys } from "../../plan/content.ts";
import { heading } from "../../terminal/colour.ts";
import { print, printJson } from "../../terminal/output.ts";
import { formatTable } from "../../terminal/table.ts";

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
  const keys = (await readKeys(session)).sort(compareKeys);
  if (json) return printJson(keys.map(toJson));
  if (keys.length === 0) return print("There are no keys.");
  const rows = keys.map((key) => [
    key.name,
    stateOf(key),
    key.permissions.map(formatPermit).join(", ") || "none",
    key.createdAt,
    key.expiresAt ?? "never",
  ]);
  print(formatTable(["key", "state", "permissions", "created", "expires"], rows), heading);
}

function toJson(key: ApiKeyItem): object {
  const { name, permissions, createdAt, expiresAt, retiredAt } = key;
  return {
    name,
    state: stateOf(key),
    permissions,
    createdAt,
    ...(expiresAt !== undefined && { expiresAt }),
    ...(retiredAt !== undefined && { retiredAt }),
  };
}
