/** Reads the table's definition from infra/table.yml, as far as a local engine needs it. */
import { readFileSync } from "node:fs";
import { parse } from "yaml";
import { projectFile } from "../project-file.ts";
import type { TableDefinition } from "../store/create-table.ts";

export function readTableDefinition(): TableDefinition {
  const { Resources } = parse(readFileSync(projectFile("infra/table.yml"), "utf8"));
  const { BillingMode, AttributeDefinitions, KeySchema } = Resources.Table.Properties;
  return { BillingMode, AttributeDefinitions, KeySchema };
}
