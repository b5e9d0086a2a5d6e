/**
 * Reads from the files of the deployment what the local service takes of them: its routes, and its table. The build evaluates
 * this file, so a built program has both as constants, and reads no YAML.
 */
import { readFileSync } from "node:fs";
import { parse } from "yaml";

/** @typedef {{ handler: string, events: { httpApi: { method: string, path: string } }[] }} DeployedFunction */

const read = (/** @type {string} */ name) =>
  parse(readFileSync(new URL(`../../${name}`, import.meta.url), "utf8"), { merge: true });

/** @type {{ provider: { timeout: number }, functions: Record<string, DeployedFunction> }} */
const { provider, functions } = read("serverless.yml");

/** The routes, in the form that API Gateway has them in. */
export const routes = Object.entries(functions).flatMap(([name, { handler, events }]) =>
  events.map(({ httpApi: { method, path } }) => ({
    routeKey: `${method === "*" ? "ANY" : method} ${path}`,
    method,
    path,
    function: { name, handler, timeoutMs: provider.timeout * 1000 },
  })),
);

const { BillingMode, AttributeDefinitions, KeySchema, GlobalSecondaryIndexes } =
  read("infra/aws/core.yml").Resources.Table.Properties;

/**
 * The table's definition, as far as a local engine needs it.
 * @type {Omit<import("@aws-sdk/client-dynamodb").CreateTableCommandInput, "TableName">}
 */
export const tableDefinition = {
  BillingMode,
  AttributeDefinitions,
  KeySchema,
  GlobalSecondaryIndexes: GlobalSecondaryIndexes.map(
    (/** @type {Record<string, unknown>} */ { OnDemandThroughput, ...index }) => index,
  ),
};
