/** Reads the committed OpenAPI document, and validates values by its schemas. */
import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import type { Document } from "../../infra/reference/document.ts";
import type { SchemaName } from "../../infra/reference/schemas.ts";

export const document: Document = JSON.parse(readFileSync("infra/reference/openapi.json", "utf8"));

const ajv = new Ajv2020({
  allErrors: true,
  formats: { uuid: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/ },
});
// OpenAPI's own keywords; the discriminator adds nothing to the schemas beside it.
ajv.addVocabulary(["components", "discriminator"]);
ajv.addSchema({ components: document.components }, "document");

/** Returns the issues of a value by the schema of this name. */
export function faultsBy(name: SchemaName, value: unknown): string[] {
  return faultsAt(`#/components/schemas/${name}`, value);
}

export function faultsAt(reference: string, value: unknown): string[] {
  const validate = ajv.getSchema(`document${reference}`);
  if (!validate) throw new Error(`the document has nothing at ${reference}`);
  validate(value);
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}
