/** `key create | list | revoke | rotate` */
import { Command } from "commander";
import { createKeyCommand } from "./key/create.ts";
import { listKeysCommand } from "./key/list.ts";
import { revokeKeyCommand } from "./key/revoke.ts";
import { rotateKeyCommand } from "./key/rotate.ts";

export function keyCommand(): Command {
  const key = new Command("key")
    .summary("Create, list, revoke and rotate API keys")
    .description("Create, list, revoke and rotate API keys.");
  for (const each of [createKeyCommand(), listKeysCommand(), revokeKeyCommand(), rotateKeyCommand()]) {
    key.addCommand(each);
  }
  return key;
}
