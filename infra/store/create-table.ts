/** Creates the table on a local engine if it is missing, from the definition in infra/aws/core.yml that deployments use. */
import { readFileSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import {
  CreateTableCommand,
  type CreateTableCommandInput,
  DescribeTableCommand,
  DynamoDBClient,
  ScanCommand,
} from "@aws-sdk/client-dynamodb";
import { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import { parse } from "yaml";
import type { Client } from "../../lib/store/client.ts";
import { projectFile } from "../cli/project-file.ts";

interface Access {
  mayCreate?: boolean;
  /** Of the embedded engine; by default, one of the endpoint that the environment names. */
  client?: Client | undefined;
}

/** Whether it is empty; throws if it is missing and may not be created. */
export async function createTable(
  TableName: string,
  { mayCreate = true, client = createClient() }: Access = {},
): Promise<{ isEmpty: boolean }> {
  if (mayCreate) await create(client, TableName);
  const { Count } = await client.send(new ScanCommand({ TableName, Limit: 1 }));
  return { isEmpty: Count === 0 };
}

/** As far as a local engine needs it. */
export function tableDefinition(): Omit<CreateTableCommandInput, "TableName"> {
  const { template } = parse(readFileSync(projectFile("infra/aws/core.yml"), "utf8"));
  const { BillingMode, AttributeDefinitions, KeySchema, GlobalSecondaryIndexes } =
    template.Resources.Table.Properties;
  const indexes = GlobalSecondaryIndexes.map(
    ({ OnDemandThroughput, ...index }: Record<string, unknown>) => index,
  );
  return { BillingMode, AttributeDefinitions, KeySchema, GlobalSecondaryIndexes: indexes };
}

/** With the SDK's retries, as this runs first. */
const createClient = (): Client => DynamoDBDocumentClient.from(new DynamoDBClient({ maxAttempts: 6 }));

async function create(client: Client, TableName: string): Promise<void> {
  try {
    await client.send(new CreateTableCommand({ TableName, ...tableDefinition() }));
  } catch (error) {
    if ((error as Error).name !== "ResourceInUseException") throw error;
  }
  while (!(await isActive(client, TableName))) await setTimeout(50);
}

async function isActive(client: Client, TableName: string): Promise<boolean> {
  const { Table } = await client.send(new DescribeTableCommand({ TableName }));
  return Table?.TableStatus === "ACTIVE";
}
