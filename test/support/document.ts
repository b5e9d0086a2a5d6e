/** Reads the committed OpenAPI document, and validates values by its schemas. */
import { Ajv2020 } from "ajv/dist/2020.js";
import openapi from "../../infra/reference/openapi.json" with { type: "json" };

type SchemaName = keyof typeof openapi.components.schemas;

export interface Content {
  schema: { $ref: string } | { anyOf: { $ref: string }[] };
  examples: Readonly<Record<string, { value: unknown }>>;
}

interface Operation {
  operationId: string;
  summary: string;
  description?: string;
  requestBody?: { content: Readonly<Record<string, Content>> };
  responses: Readonly<Record<string, { $ref: string }>>;
}

interface Response {
  headers?: object;
  content?: Readonly<Record<string, Content>>;
}

/** What the tests read of it. */
interface Document {
  paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  components: {
    parameters: object;
    responses: Readonly<Record<string, Response>>;
    schemas: Readonly<Record<SchemaName, { properties?: object }>>;
  };
}

export const document = openapi as unknown as Document;

const ajv = new Ajv2020({
  allErrors: true,
  formats: { uuid: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/ },
});
// OpenAPI's own keywords; the discriminator adds nothing to the schemas beside it.
ajv.addVocabulary(["components", "discriminator"]);
ajv.addSchema({ components: document.components }, "document");

/** Returns the issues of a value by the schema at this place. */
export function issuesBySchema(reference: string, value: unknown): string[] {
  const validate = ajv.getSchema(`document${reference}`);
  if (!validate) throw new Error(`the document has nothing at ${reference}`);
  validate(value);
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}
