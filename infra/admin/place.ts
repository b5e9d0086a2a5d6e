/** Opens the table: in a folder of this machine, at a DynamoDB endpoint, or on AWS. */
import { existsSync } from "node:fs";
import path from "node:path";
import { isOfAws, useEndpoint } from "../aws-settings.ts";
import { startEngine } from "../local/engine.ts";
import { Refusal } from "../refusal.ts";
import { createTable } from "../store/create-table.ts";
import { openTable } from "../store/open-table.ts";
import { requireComplete } from "../store/write-state.ts";
import { type OperatorSession, operatorName } from "./operator.ts";
import { note } from "./terminal/output.ts";

export interface PlaceOptions {
  data?: string;
  endpoint?: string;
  table?: string;
  dryRun?: boolean;
}

export interface Access {
  /** Whether the command may create an empty table in a folder without data. */
  mayCreate?: boolean;
}

/** Opens the table, and closes it after its use. */
export async function withTable(
  options: PlaceOptions,
  use: (session: OperatorSession) => Promise<void>,
  access: Access,
): Promise<void> {
  const { env } = process;
  env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= "true";
  // The SDK would take an empty region for one that is set.
  if (env.AWS_REGION === "") delete env.AWS_REGION;
  const { data, endpoint } = options;
  const engine = data === undefined ? undefined : await startEngine(dataFolder(data, options, access));
  try {
    await use(await openSession(tableName(options), engine?.endpoint ?? endpoint));
  } finally {
    // A running engine would keep this process alive.
    await engine?.stop();
  }
}

export function tableName({ table }: PlaceOptions): string {
  return table || process.env.TABLE_NAME || "burgee";
}

/** A dry run creates no folder: it uses an empty table that is discarded afterwards. */
function dataFolder(data: string, { dryRun }: PlaceOptions, { mayCreate }: Access): string | undefined {
  // The engine's own folder.
  if (existsSync(path.join(data, "dynamodb"))) return data;
  if (mayCreate) return dryRun ? undefined : data;
  throw new Refusal(
    `there is no data in the folder ${data}: is the path right? ` +
      "apply, import-unleash, project put and key create would create an empty table there",
  );
}

async function openSession(table: string, endpoint: string | undefined): Promise<OperatorSession> {
  const isOnAws = endpoint === undefined || isOfAws(endpoint);
  if (endpoint !== undefined) useEndpoint(endpoint);
  if (!isOnAws) await makeTable(table);
  return { ...openTable(table), operator: operatorName({ isOnAws }) };
}

/** For local engines: on AWS the deployment creates the table. The note reveals a mistyped name. */
async function makeTable(table: string): Promise<void> {
  const { isEmpty } = await createTable(table);
  if (isEmpty) note(`The table "${table}" is empty.`);
  await requireComplete(openTable(table));
}
