/** Creates the table on a local engine if it is missing, from the definition in infra/aws/core.yml that deployments use. */
import { readFileSync } from "node:fs";
import {
  CreateTableCommand,
  type CreateTableCommandInput,
  DynamoDBClient,
  ResourceInUseException,
  ScanCommand,
  waitUntilTableExists,
} from "@aws-sdk/client-dynamodb";
import { parse } from "yaml";
import { projectFile } from "../cli/project-file.ts";

/** Whether it is empty; throws if it is missing and may not be created. */
export async function createTable(
  TableName: string,
  { mayCreate = true } = {},
): Promise<{ isEmpty: boolean }> {
  const client = new DynamoDBClient({ maxAttempts: 6 });
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

async function create(client: DynamoDBClient, TableName: string): Promise<void> {
  try {
    await client.send(new CreateTableCommand({ TableName, ...tableDefinition() }));
  } catch (error) {
    if (!(error instanceof ResourceInUseException)) throw error;
  }
  await waitUntilTableExists({ client, maxWaitTime: 60, minDelay: 0.05, maxDelay: 1 }, { TableName });
}
