/** `key create NAME` */
import type { Command } from "commander";
import { check } from "../../../../lib/contract/check.ts";
import type { Permit } from "../../../../lib/contract/permissions.ts";
import type { Session } from "../../../../lib/store/session.ts";
import { Refusal } from "../../../refusal.ts";
import { apiKeyStateSchema } from "../../../state/state.ts";
import { putApiKey } from "../../../store/put-api-key.ts";
import { command, type Options, onTable } from "../../command.ts";
import { newKey, tellKey } from "../../keys.ts";
import { parsePermit } from "../../permits.ts";
import { readProjectsAndKeys } from "../../read-all.ts";
import { refuseUnknownScopes } from "../../scopes.ts";
import { parseExpiry } from "../../times.ts";

interface CreateOptions extends Options {
  permission: string[];
  expires?: string;
}

const details = `
A permission is one of ADMIN (all of the others), UPDATE_FEATURE (change tags), UPDATE_FEATURE_VARIANTS and
UPDATE_FEATURE_ENVIRONMENT_VARIANTS (change variants: both are needed, the second for each environment).
It holds everywhere, or in a project, or in an environment of it: PERM, PERM:project,
PERM:project:environment, or PERM::environment for that environment of every project.

The key is printed alone on the standard output, once; only its hash is stored.`;

export function createKeyCommand(): Command {
  return command("create", "Make an API key, and show it this once", {
    details,
    examples: [
      ["key create ci --permission UPDATE_FEATURE:default", "a key that may change tags in one project"],
      [
        "key create deploy --permission UPDATE_FEATURE_VARIANTS:default UPDATE_FEATURE_ENVIRONMENT_VARIANTS:default:development --expires 2030-01-01",
        "a key that may change variants in one environment, for a while",
      ],
    ],
  })
    .argument("<name>", "by which it is listed and logged")
    .requiredOption("--permission <permissions...>", "PERM[:project[:environment]], one or more")
    .option("--expires <time>", "valid until then (RFC 3339, or a day)")
    .action(onTable(createKey));
}

async function createKey(session: Session, options: CreateOptions, name: string): Promise<void> {
  const permissions: Permit[] = options.permission.map(parsePermit);
  const expiresAt = options.expires === undefined ? undefined : parseExpiry(options.expires);
  const { key, keyHash } = newKey();
  const members = { name, permissions, ...(expiresAt !== undefined && { expiresAt }), disabled: false };
  refuseFaults({ ...members, keyHash });
  const { apiKeys, projects } = await readProjectsAndKeys(session);
  if (apiKeys.some((one) => one.name === name)) {
    throw new Refusal(`there is a key "${name}" already: rotate it, or choose another name`);
  }
  refuseUnknownScopes(permissions, projects);
  await putApiKey(session, { ...members, keyHash });
  tellKey(key, members, options);
}

/** What a state file may not hold, no command makes. */
function refuseFaults(key: object): void {
  const { faults = [] } = check(apiKeyStateSchema, key);
  const [first] = faults;
  if (first) throw new Refusal(`the key's ${first.path.slice(1)} ${first.message}`);
}
