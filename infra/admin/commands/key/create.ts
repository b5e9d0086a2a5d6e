/** `key create NAME` */
import type { Command } from "commander";
import type { Permit } from "../../../../lib/contract/permissions.ts";
import { Refusal } from "../../../refusal.ts";
import { apiKeyStateSchema } from "../../../state/state.ts";
import { putApiKey } from "../../../store/write-api-key.ts";
import { command, type Options, onTable } from "../../command.ts";
import { isRetiring, keysNamed, newKey, showKey } from "../../keys.ts";
import { createStamps, type OperatorSession } from "../../operator.ts";
import { parsePermit } from "../../permits.ts";
import { toContent } from "../../plan/content.ts";
import { readProjectsAndKeys } from "../../read-all.ts";
import { requireValidState } from "../../require-valid-state.ts";
import { requireScope } from "../../scopes.ts";
import { parseExpiry } from "../../times.ts";

interface CreateOptions extends Options {
  permission: string[];
  expires?: string;
}

const details = `
A permission is one of ADMIN (all of the others), UPDATE_FEATURE (change tags),
UPDATE_FEATURE_ENVIRONMENT_VARIANTS (change the variants of one environment), and UPDATE_FEATURE_VARIANTS
(change those of all environments in one request; each of them needs the former too).
It applies everywhere, in a project, or in an environment of it: PERM, PERM:project, PERM:project:environment,
or 'PERM:*:environment' for that environment of every project. For several permissions, repeat --permission or
separate them by commas.

The key is printed alone on the standard output, once; only its hash is stored.`;

export function createKeyCommand(): Command {
  return command("create", "Create an API key, and print it once", {
    details,
    examples: [
      ["key create ci --permission UPDATE_FEATURE:default", "a key that may change tags in one project"],
      [
        "key create deploy --permission UPDATE_FEATURE_VARIANTS:default,UPDATE_FEATURE_ENVIRONMENT_VARIANTS:default",
        "a key that may change variants in all environments of a project",
      ],
      [
        "key create test --permission UPDATE_FEATURE_ENVIRONMENT_VARIANTS:default:development --expires 2030-01-01",
        "a key that may change variants in one environment, for a while",
      ],
    ],
  })
    .argument("<name>", "its name in lists and in the log")
    .requiredOption("--permission <permission>", "PERM[:project[:environment]]; repeatable", addPermissions)
    .option("--expires <time>", "when it expires (RFC 3339, or a date)")
    .action(onTable(createKey, { mayCreate: true }));
}

/** Not variadic: an option with several values would consume the name too. */
function addPermissions(text: string, before: readonly string[] = []): string[] {
  return [...before, ...text.split(",")];
}

async function createKey(session: OperatorSession, options: CreateOptions, name: string): Promise<void> {
  const permissions: Permit[] = options.permission.map(parsePermit);
  const expiresAt = options.expires === undefined ? undefined : parseExpiry(options.expires);
  const { key, keyHash } = newKey();
  const members = { name, permissions, ...(expiresAt !== undefined && { expiresAt }), disabled: false };
  requireValidState("key", apiKeyStateSchema, { ...members, keyHash });
  const stored = await readProjectsAndKeys(session);
  if (keysNamed(stored.apiKeys, name).some((one) => !isRetiring(one))) {
    throw new Refusal(`the key "${name}" already exists: rotate it, or choose another name`);
  }
  const { projects } = toContent(stored);
  for (const permit of permissions) requireScope(projects, permit);
  await putApiKey(session, { ...members, keyHash }, { stamp: createStamps(session)() });
  showKey(key, members, options);
}
