/** Where the data is: a folder of this machine, a DynamoDB endpoint, or AWS. */
import { fileURLToPath } from "node:url";
import type { Session } from "../../lib/store/session.ts";
import { startEngine } from "../local/engine.ts";
import { readTableDefinition } from "../local/table.ts";
import { createTable } from "../store/create-table.ts";
import { openTable } from "../store/open-table.ts";
import { note } from "./terminal/output.ts";

export interface PlaceOptions {
  data?: string;
  endpoint?: string;
  table?: string;
}

interface Place {
  session: Session;
  close(): void;
}

const definition = new URL("../../infra/table.yml", import.meta.url);

/** Opens the table, hands it over, and closes it whatever came of it. */
export async function withTable<Result>(
  options: PlaceOptions,
  use: (session: Session) => Promise<Result>,
): Promise<Result> {
  const { session, close } = await open(options);
  try {
    return await use(session);
  } finally {
    close();
  }
}

export function tableName({ table }: PlaceOptions): string {
  return table ?? process.env.TABLE_NAME ?? "burgee";
}

async function open(options: PlaceOptions): Promise<Place> {
  const { data, endpoint } = options;
  const table = tableName(options);
  const { env } = process;
  env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= "true";
  if (data !== undefined) return openFolder(data, table);
  if (endpoint !== undefined) {
    if (isOfAws(endpoint)) env.AWS_ENDPOINT_URL_DYNAMODB = endpoint;
    else {
      setLocal(endpoint);
      await makeTable(table);
    }
  }
  return { session: openTable(table), close() {} };
}

async function openFolder(data: string, table: string): Promise<Place> {
  const { stop: close, endpoint } = await startEngine(data);
  process.once("exit", close);
  delete process.env.AWS_PROFILE;
  setLocal(endpoint);
  try {
    await makeTable(table);
  } catch (error) {
    // While the engine runs, this process would not end.
    close();
    throw error;
  }
  return { session: openTable(table), close };
}

/** An engine of one's own takes any credentials, but it wants some. */
function setLocal(endpoint: string): void {
  const { env } = process;
  env.AWS_ENDPOINT_URL_DYNAMODB = endpoint;
  env.AWS_REGION ??= "eu-central-1";
  if (env.AWS_ACCESS_KEY_ID !== undefined || env.AWS_PROFILE !== undefined) return;
  env.AWS_ACCESS_KEY_ID = "local";
  env.AWS_SECRET_ACCESS_KEY = "local";
}

/** Only where nothing is deployed: a table of AWS is made by the deployment. A mistyped name is seen by the note. */
async function makeTable(table: string): Promise<void> {
  const { isEmpty } = await createTable(table, readTableDefinition(fileURLToPath(definition)));
  if (isEmpty) note(`The table "${table}" is empty so far.`);
}

function isOfAws(endpoint: string): boolean {
  return /(?:\.amazonaws\.com(?:\.cn)?|\.api\.aws)$/.test(new URL(endpoint).hostname);
}
