/** Makes the table where there is none yet: on a local engine, for a test. Deployments make it from the same definition. */
import {
  CreateTableCommand,
  type CreateTableCommandInput,
  DynamoDBClient,
  ResourceInUseException,
  ScanCommand,
  waitUntilTableExists,
} from "@aws-sdk/client-dynamodb";

export type TableDefinition = Omit<CreateTableCommandInput, "TableName">;

/** Whether it is empty: new, or not filled so far. */
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
