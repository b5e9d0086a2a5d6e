/** Creates the table on a local engine if it is missing, from the definition that deployments use. */
import { setTimeout } from "node:timers/promises";
import {
  CreateTableCommand,
  DescribeTableCommand,
  DynamoDBClient,
  ScanCommand,
} from "@aws-sdk/client-dynamodb";
import { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import type { Client } from "../../lib/store/dynamodb/client.ts";
import { tableDefinition } from "../build/deployment.mjs";

interface Access {
  mayCreate?: boolean;
  /** The client of the embedded engine; by default, one of the endpoint that the environment names. */
  client?: Client | undefined;
}

/** Returns whether the table is empty. Throws if it is missing and may not be created. */
export async function createTable(
  TableName: string,
  { mayCreate = true, client = createClient() }: Access = {},
): Promise<{ isEmpty: boolean }> {
  if (mayCreate) await create(client, TableName);
  const { Count } = await client.send(new ScanCommand({ TableName, Limit: 1 }));
  return { isEmpty: Count === 0 };
}

/** The client retries more often than the default, because this call may run before the engine is ready. */
const createClient = (): Client => DynamoDBDocumentClient.from(new DynamoDBClient({ maxAttempts: 6 }));

async function create(client: Client, TableName: string): Promise<void> {
  try {
    await client.send(new CreateTableCommand({ TableName, ...tableDefinition }));
  } catch (error) {
    if ((error as Error).name !== "ResourceInUseException") throw error;
  }
  while (!(await isActive(client, TableName))) await setTimeout(50);
}

async function isActive(client: Client, TableName: string): Promise<boolean> {
  const { Table } = await client.send(new DescribeTableCommand({ TableName }));
  return Table?.TableStatus === "ACTIVE";
}
