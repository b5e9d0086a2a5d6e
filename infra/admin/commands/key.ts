/** `key create | list | revoke | rotate` */
import type { Command } from "commander";
import { group } from "../command.ts";
import { createKeyCommand } from "./key/create.ts";
import { listKeysCommand } from "./key/list.ts";
import { revokeKeyCommand } from "./key/revoke.ts";
import { rotateKeyCommand } from "./key/rotate.ts";

export function keyCommand(): Command {
  return group("key", "Create, list, revoke and rotate API keys", [
    createKeyCommand(),
    listKeysCommand(),
    revokeKeyCommand(),
    rotateKeyCommand(),
  ]);
}
