/** The schemas of the document: made of the contract's, under the names that Unleash gave them. */
import * as z from "zod/mini";
import { detailSchema, errorSchema } from "../../lib/contract/error-body.ts";
import { patchesSchema, patchOperationSchema } from "../../lib/contract/patch.ts";
import { previewSchema } from "../../lib/contract/preview.ts";
import { incomingTagSchema, tagSchema, tagsSchema, updateTagsSchema } from "../../lib/contract/tags.ts";
import { featureVariantsSchema, overrideSchema, variantSchema } from "../../lib/contract/variants.ts";
import { prose } from "./prose.ts";

/** By the name of the operation: "addPatchSchema", "removePatchSchema"... */
const operations = Object.fromEntries(
  patchOperationSchema.def.options.map((option) => [`${option.shape.op.def.values[0]}PatchSchema`, option]),
);

const environmentPreviewSchema = previewSchema.shape.environments.def.element;
const { innerType: changesSchema } = environmentPreviewSchema.shape.changes.def;

/** What a caller may send differs from what comes back: members with a default, and `color` on a tag. */
const sent = {
  updateTagsSchema,
  incomingTagSchema,
  patchesSchema,
  patchSchema: patchOperationSchema,
  ...operations,
};
const returned = {
  tagsSchema,
  tagSchema,
  featureVariantsSchema,
  variantSchema,
  overrideSchema,
  variantsPreviewSchema: previewSchema,
  environmentPreviewSchema,
  variantChangeSchema: changesSchema.def.element,
  errorSchema,
  detailSchema,
};

export type SchemaName = keyof typeof sent | keyof typeof returned;
type JsonSchema = z.core.JSONSchema.BaseSchema;

export interface Reference {
  $ref: string;
}

export function reference(name: SchemaName): Reference {
  return { $ref: uri(name) };
}

export function createSchemas(): Record<string, JsonSchema> {
  const schemas = { ...translate(sent, "input"), ...translate(returned, "output") };
  const mapping = Object.entries(operations).map(([name, { shape }]) => [shape.op.def.values[0], uri(name)]);
  Object.assign(schemas.patchSchema ?? {}, {
    discriminator: { propertyName: "op", mapping: Object.fromEntries(mapping) },
  });
  return schemas;
}

function translate(schemas: Record<string, z.core.$ZodType>, io: "input" | "output") {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(schemas)) registry.add(schema, { id });
  const translated = z.toJSONSchema(registry, { io, uri, override: withoutSafeIntegers }).schemas;
  return Object.fromEntries(
    Object.entries(translated).map(([name, { $schema, $id, ...schema }]) => [name, describe(name, schema)]),
  );
}

function uri(name: string): string {
  return `#/components/schemas/${name}`;
}

/** That JavaScript's integers end somewhere is no fact of this contract. */
function withoutSafeIntegers({ jsonSchema }: { jsonSchema: JsonSchema }): void {
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
}

function describe(name: string, schema: JsonSchema): JsonSchema {
  const { about, fields = {} } = prose[name in operations ? "operation" : name] ?? {};
  for (const [field, property] of Object.entries(schema.properties ?? {})) {
    if (typeof property === "object" && fields[field]) property.description = fields[field];
  }
  return { ...(about !== undefined && { description: about }), ...schema };
}
