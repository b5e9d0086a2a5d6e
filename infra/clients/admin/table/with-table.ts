/** Opens the table for an operator: in a folder of this machine, at a DynamoDB endpoint, or on AWS. */
import { randomUUID } from "node:crypto";
import { accessSync, constants, existsSync, statSync } from "node:fs";
import { userInfo } from "node:os";
import path from "node:path";
import { createStamp, type Stamp } from "../../../../lib/features/stamp.ts";
import { type Client, createClient } from "../../../../lib/store/dynamodb/client.ts";
import type { Session } from "../../../../lib/store/dynamodb/session.ts";
import { forgetAwsSettings, isOfAws, useEndpoint } from "../../../cli/aws-settings.ts";
import { type TableOptions, tableName } from "../../../cli/options.ts";
import { note } from "../../../cli/output.ts";
import { Refusal, UsageError } from "../../../cli/refusal.ts";
import { openEngine } from "../../../local/engine.ts";
import { readCallerName } from "../../../store/caller-name.ts";
import { createTable } from "../../../store/create-table.ts";
import { openTable } from "../../../store/open-table.ts";
import { requireComplete } from "../../../store/write-state.ts";

export interface PlaceOptions extends TableOptions {
  dryRun?: boolean;
  /** The reason that is stored with what the command writes. */
  reason?: string | undefined;
}

/** The table, and the operator of one command. */
export interface OperatorSession extends Session {
  operator: string;
  isOnAws: boolean;
  /** Each stamp has an id of its own, and the request id of the command. */
  newStamp(): Stamp;
}

export interface Access {
  /** Whether the command may create an empty table, except on AWS. */
  mayCreate: boolean;
}

const needsTable =
  "this command needs access to the table: give --data, --endpoint or --table in place of --url";

/** Opens the table, and closes it after its use. */
export async function withTable<Result>(
  options: PlaceOptions,
  access: Access,
  use: (session: OperatorSession) => Promise<Result>,
): Promise<Result> {
  const { env } = process;
  env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= "true";
  // The SDK would take an empty region for one that is set.
  if (env.AWS_REGION === "") delete env.AWS_REGION;
  const { data, endpoint, url } = options;
  if (url !== undefined) throw new UsageError(needsTable);
  const folder = data === undefined ? undefined : dataFolder(data, options, access);
  const engine = data === undefined ? undefined : await openEngine(folder);
  const isDiscarded = data !== undefined && folder === undefined;
  const mayCreate = access.mayCreate && (!options.dryRun || isDiscarded);
  try {
    if (engine) forgetAwsSettings();
    else if (endpoint !== undefined) useEndpoint(endpoint);
    const isOnAws = !engine && (endpoint === undefined || isOfAws(endpoint));
    return await use(await openOperatorSession(options, isOnAws, { mayCreate, client: engine?.client }));
  } finally {
    await engine?.stop();
  }
}

/** A dry run creates no folder: it uses an empty table that is discarded afterwards. */
function dataFolder(data: string, { dryRun }: PlaceOptions, { mayCreate }: Access): string | undefined {
  if (isFile(data)) throw new Refusal(`${data} is a file: --data takes a folder`);
  const engineFolder = path.join(data, "dynamodb");
  if (existsSync(engineFolder)) {
    requireWritable(engineFolder, data);
    return data;
  }
  if (mayCreate) return dryRun ? undefined : data;
  throw new Refusal(
    `there is no data in the folder ${data}: is the path right? ` +
      "apply, import-flagd, import-unleash, project put and key create would create an empty table there",
  );
}

function isFile(data: string): boolean {
  try {
    return statSync(data, { throwIfNoEntry: false })?.isFile() ?? false;
  } catch (error) {
    throw new Refusal(`the folder ${data} cannot be read: ${(error as Error).message}`);
  }
}

/** LevelDB takes a lock in its folder, and writes a log there, even if nothing is changed. */
function requireWritable(engineFolder: string, data: string): void {
  try {
    accessSync(engineFolder, constants.W_OK);
  } catch {
    const advice = "copy the folder, and give the copy as --data";
    throw new Refusal(`the data in ${data} is read-only, and the engine needs a lock in it: ${advice}`);
  }
}

async function openOperatorSession(
  options: PlaceOptions,
  isOnAws: boolean,
  access: Access & { client: Client | undefined },
): Promise<OperatorSession> {
  const table = tableName(options);
  const { reason } = options;
  const client = access.client ?? createClient();
  const session = openTable(table, client);
  if (!isOnAws) {
    // On AWS the deployment creates the table. The note reveals a mistyped name.
    const { isEmpty } = await createTable(table, access);
    if (isEmpty) note(`The table "${table}" is empty.`);
    await requireComplete(session);
  }
  const operator = isOnAws ? await operatorOnAws(client) : localUser();
  const requestId = randomUUID();
  return {
    ...session,
    operator,
    isOnAws,
    // A guard and an idempotency key are headers of the API, so what a command writes to the table itself has neither.
    newStamp: () => createStamp({ by: operator, requestId, options: { reason, guard: undefined } }),
  };
}

/** Returns a short name, never an access key or an ARN. */
async function operatorOnAws(client: Client): Promise<string> {
  const { AWS_ROLE_SESSION_NAME: role, AWS_PROFILE: profile } = process.env;
  return (await readCallerName(client)) || role || profile || localUser();
}

/** Returns the name of the user, or the number where there is no name, as in a container. */
function localUser(): string {
  try {
    return userInfo().username;
  } catch {
    return `user ${process.getuid?.() ?? "unknown"}`;
  }
}
