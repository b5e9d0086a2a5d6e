/** Defines `key create | list`, and its other commands. */
import type { Command } from "commander";
import type { Permission, PermissionName } from "../../../../lib/access/permissions.ts";
import type { Session } from "../../../../lib/store/dynamodb/session.ts";
import { runRounds } from "../../../../lib/store/replace-item.ts";
import { RepeatableOption } from "../../../cli/options.ts";
import { printJson, printTable } from "../../../cli/output.ts";
import { Refusal } from "../../../cli/refusal.ts";
import { apiKeyStateSchema } from "../../../state/state-file-schemas.ts";
import { compareKeys } from "../../../store/content.ts";
import { newClock } from "../../../store/open-table.ts";
import { readApiKeys, readProjects } from "../../../store/read-content.ts";
import { type CommandOptions, command, group, onTable, reasonOption, requireValid } from "../command.ts";
import { requireScope } from "../require-scope.ts";
import { expiry, isTaken, keyState, makeApiKey, putNewKey, showKey } from "../table/api-key.ts";
import type { OperatorSession } from "../table/with-table.ts";
import { formatPermission, parsePermission } from "../words/permissions.ts";
import { revokeCommand } from "./revoke.ts";
import { rotateCommand } from "./rotate.ts";

const createHelp = `Create an API key, and print it once

A permission applies everywhere (PERM), in a project (PERM:project), in an environment of a project
(PERM:project:environment) or in the environments of one name ('PERM:*:environment'). Separate several by commas.`;

const allowed: Readonly<Record<PermissionName, string>> = {
  ADMIN: "everything",
  READ: "read, send dry runs, and load the documents of SDKs; all but CLIENT and TRIP_GUARD include it",
  CLIENT: "load the documents of SDKs, and nothing else",
  CREATE_FEATURE: "create features",
  DELETE_FEATURE: "delete features, and restore them on or off as they were",
  UPDATE_FEATURE: "change tags",
  UPDATE_FEATURE_VARIANTS: "change variants in all environments by one request, with the next permission",
  UPDATE_FEATURE_ENVIRONMENT_VARIANTS: "change variants in an environment",
  UPDATE_FEATURE_ENVIRONMENT: "switch features on and off in an environment",
  UPDATE_FEATURE_STRATEGY: "change strategies, dependencies and targeting in an environment",
  TRIP_GUARD: "trip guards in an environment, and nothing else",
};

const permissionsHelp = `
Permissions:
${Object.entries(allowed)
  .map(([name, what]) => `  ${name.padEnd(38)}${what}`)
  .join("\n")}
READ and those without "in an environment" cannot be limited to an environment; ADMIN and CLIENT can.`;

export function keyCommands(): Command {
  return group("key", "Create, list, revoke and rotate API keys", [
    command("create", createHelp, [
      ["key create ci --permission UPDATE_FEATURE:default", "a key that may change tags in one project"],
      [
        "key create bot --permission READ:default",
        "a key that may see what a request would do, but not do it",
      ],
      ["key create shop --permission CLIENT:default:production", "a key for SDKs"],
      ["key create alarms --permission TRIP_GUARD:default:production", "a key for a webhook"],
      [
        "key create deploy --permission UPDATE_FEATURE_VARIANTS:default,UPDATE_FEATURE_ENVIRONMENT_VARIANTS:default",
        "a key that may change variants in all environments of a project",
      ],
      [
        "key create test --permission UPDATE_FEATURE_ENVIRONMENT_VARIANTS:default:development --expires 2030-01-01",
        "a key that may change variants in one environment, for a while",
      ],
    ])
      .argument("<name>", "the name of the key, in lists and in the log")
      .addOption(
        new RepeatableOption("--permission <permission>", "PERM[:project[:environment]]; repeatable")
          .argParser(addPermissions)
          .makeOptionMandatory(),
      )
      .addOption(expiry)
      .addOption(reasonOption())
      .addHelpText("after", permissionsHelp)
      .action(onTable(createKey, { mayCreate: true })),
    command("list", "List the API keys with their state, permissions and expiry", [
      ["key list", "all keys"],
      [
        "key list --json | jq '.[] | select(.state == \"expired\").name'",
        "the names of those that have expired",
      ],
    ]).action(onTable(listKeys)),
    revokeCommand(),
    rotateCommand(),
  ]);
}

/** Adds the permissions of one value. A variadic option would consume the name of the key too. */
function addPermissions(text: string, before: readonly Permission[] = []): Permission[] {
  return [...before, ...text.split(",").map(parsePermission)];
}

interface CreateOptions extends CommandOptions {
  permission: Permission[];
  expires?: string;
}

async function createKey(session: OperatorSession, options: CreateOptions, name: string): Promise<void> {
  const { permission: permissions, expires } = options;
  const made = await runRounds(newClock(), async () => {
    const made = makeApiKey(name, permissions, expires);
    requireValid("key", apiKeyStateSchema, made.stored);
    if (isTaken(await readApiKeys(session), made.stored)) {
      throw new Refusal(`the key "${name}" already exists: rotate it, or choose another name`);
    }
    const projects = await readProjects(session);
    for (const permission of permissions) requireScope(projects, permission);
    await putNewKey(session, made.stored);
    return made;
  });
  showKey(made, options);
}

async function listKeys(session: Session, { json }: CommandOptions): Promise<void> {
  const keys = (await readApiKeys(session)).sort(compareKeys).map((key) => {
    const { name, permissions, createdAt, expiresAt, retiredAt } = key;
    return { name, state: keyState(key), permissions, createdAt, expiresAt, retiredAt };
  });
  if (json) return printJson(keys);
  const rows = keys.map(({ name, state, permissions, createdAt, expiresAt = "never" }) => {
    return [name, state, permissions.map(formatPermission).join(", ") || "none", createdAt, expiresAt];
  });
  printTable(["key", "state", "permissions", "created", "expires"], rows, "There are no keys.");
}
