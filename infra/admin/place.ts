/** Opens the table: in a folder of this machine, at a DynamoDB endpoint, or on AWS. */
import { readdirSync } from "node:fs";
import path from "node:path";
import { forgetAwsSettings, isOfAws, useEndpoint, useLocalEngine } from "../aws-settings.ts";
import { startEngine } from "../local/engine.ts";
import { Refusal } from "../refusal.ts";
import { createTable } from "../store/create-table.ts";
import { requireComplete } from "../store/import-state.ts";
import { openTable } from "../store/open-table.ts";
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

interface Place {
  session: OperatorSession;
  close(): unknown;
}

/** Opens the table, and closes it after its use. */
export async function withTable(
  options: PlaceOptions,
  use: (session: OperatorSession) => Promise<void>,
  access: Access,
): Promise<void> {
  const { session, close } = await open(options, access);
  try {
    await use(session);
  } finally {
    await close();
  }
}

export function tableName({ table }: PlaceOptions): string {
  return table || process.env.TABLE_NAME || "burgee";
}

async function open(options: PlaceOptions, access: Access): Promise<Place> {
  const { data, endpoint } = options;
  const table = tableName(options);
  const { env } = process;
  env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= "true";
  // The SDK would take an empty region for one that is set.
  if (env.AWS_REGION === "") delete env.AWS_REGION;
  if (data !== undefined) return openFolder(dataFolder(data, options, access), table);
  if (endpoint !== undefined && !isOfAws(endpoint)) {
    useLocalEngine(endpoint);
    await makeTable(table);
    return { session: openSession(table, false), close() {} };
  }
  if (endpoint !== undefined) useEndpoint(endpoint);
  return { session: openSession(table, true), close() {} };
}

/** A dry run creates no folder: it uses an empty table that is discarded afterwards. */
function dataFolder(data: string, { dryRun }: PlaceOptions, { mayCreate }: Access): string | undefined {
  if (hasData(data)) return data;
  if (mayCreate) return dryRun ? undefined : data;
  throw new Refusal(
    `there is no data in the folder ${data}: is the path right? ` +
      "apply, import-unleash, project put and key create would create an empty table there",
  );
}

/** The engine keeps its files in a subfolder, and reports one that cannot be read. */
function hasData(data: string): boolean {
  try {
    return readdirSync(path.join(data, "dynamodb")).length > 0;
  } catch (error) {
    return !["ENOENT", "ENOTDIR"].includes((error as NodeJS.ErrnoException).code ?? "");
  }
}

function openSession(table: string, isOnAws: boolean): OperatorSession {
  return { ...openTable(table), operator: operatorName({ isOnAws }) };
}

async function openFolder(data: string | undefined, table: string): Promise<Place> {
  const { stop: close, endpoint } = await startEngine(data);
  forgetAwsSettings();
  useLocalEngine(endpoint);
  try {
    await makeTable(table);
  } catch (error) {
    // A running engine would keep this process alive.
    await close();
    throw error;
  }
  return { session: openSession(table, false), close };
}

/** For local engines: on AWS the deployment creates the table. The note reveals a mistyped name. */
async function makeTable(table: string): Promise<void> {
  const { isEmpty } = await createTable(table);
  if (isEmpty) note(`The table "${table}" is empty.`);
  await requireComplete(openTable(table));
}
