/** `key list` */
import type { Command } from "commander";
import { compareCodePoints } from "../../../../lib/features/tag-change.ts";
import type { ApiKeyItem } from "../../../../lib/store/items.ts";
import type { Session } from "../../../../lib/store/session.ts";
import { command, type Options, onTable } from "../../command.ts";
import { readKeys, stateOf } from "../../keys.ts";
import { formatPermit } from "../../permits.ts";
import { print, printJson } from "../../terminal/output.ts";
import { formatTable } from "../../terminal/table.ts";

export function listKeysCommand(): Command {
  return command("list", "List the API keys: what they may, and until when", {
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
  const keys = (await readKeys(session)).sort((left, right) => compareCodePoints(left.name, right.name));
  if (json) return printJson(keys.map(toJson));
  if (keys.length === 0) return print("There are no keys.");
  const rows = keys.map((key) => [
    key.name,
    stateOf(key),
    key.permissions.map(formatPermit).join(", ") || "none",
    key.createdAt,
    key.expiresAt ?? "never",
  ]);
  print(formatTable(["key", "state", "permissions", "created", "expires"], rows));
}

function toJson(key: ApiKeyItem): object {
  const { name, permissions, createdAt, expiresAt } = key;
  return { name, state: stateOf(key), permissions, createdAt, ...(expiresAt !== undefined && { expiresAt }) };
}
