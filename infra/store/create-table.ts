/** Creates the table on a local engine if it is missing. Deployments create it from the same definition. */
import {
  CreateTableCommand,
  type CreateTableCommandInput,
  DynamoDBClient,
  ResourceInUseException,
  ScanCommand,
  waitUntilTableExists,
} from "@aws-sdk/client-dynamodb";

export type TableDefinition = Omit<CreateTableCommandInput, "TableName">;

/** Returns whether the table is empty. */
export async function createTable(
  TableName: string,
  definition: TableDefinition,
): Promise<{ isEmpty: boolean }> {
  const client = new DynamoDBClient({ maxAttempts: 6 });
  try {
    await client.send(new CreateTableCommand({ ...definition, TableName }));
  } catch (error) {
    if (!(error instanceof ResourceInUseException)) throw error;
  }
  await waitUntilTableExists({ client, maxWaitTime: 60, minDelay: 0.05, maxDelay: 1 }, { TableName });
  const { Count } = await client.send(new ScanCommand({ TableName, Limit: 1 }));
  return { isEmpty: Count === 0 };
}
