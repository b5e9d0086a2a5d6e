/** The schemas of the document: translated from the contract's, with their comments. */
import * as z from "zod/mini";
import { createFeatureSchema } from "../../lib/contract/features.ts";
import * as patches from "../../lib/contract/patch.ts";
import * as changes from "../../lib/contract/responses/changes.ts";
import * as documents from "../../lib/contract/responses/documents.ts";
import * as errors from "../../lib/contract/responses/error-body.ts";
import * as responses from "../../lib/contract/responses/features.ts";
import * as guards from "../../lib/contract/responses/guards.ts";
import * as lists from "../../lib/contract/responses/lists.ts";
import {
  differenceOperationSchema,
  missingPermissionSchema,
  moveSchema,
} from "../../lib/contract/responses/members.ts";
import * as strategies from "../../lib/contract/strategies.ts";
import * as tags from "../../lib/contract/tags.ts";
import * as variants from "../../lib/contract/variants.ts";
import { type Comments, readSchemaComments } from "./comments.ts";

type Schemas = Readonly<Record<string, z.core.$ZodType>>;
type JsonSchema = z.core.JSONSchema.BaseSchema;

const { updateTagsSchema, sentTagSchema, tagSchema } = tags;
const { variantSchema, overrideSchema, namelessVariantSchema } = variants;
/** In the document they are `patchesSchema` and `patchSchema`, as in Unleash's. */
const { jsonPatchSchema, patchOperationSchema, ...operationSchemas } = patches;

/** What a client may send differs from what is returned: members with a default, and `color` on a tag. */
const sent: Schemas = {
  createFeatureSchema,
  sentStrategySchema: strategies.sentStrategySchema,
  updateTagsSchema,
  sentTagSchema,
  ...operationSchemas,
  patchesSchema: jsonPatchSchema,
  patchSchema: patchOperationSchema,
};
const stored = {
  tagSchema,
  differenceOperationSchema,
  moveSchema,
  missingPermissionSchema,
  variantSchema,
  overrideSchema,
  constraintSchema: strategies.constraintSchema,
  strategyVariantSchema: strategies.strategyVariantSchema,
  strategySchema: strategies.strategySchema,
  strategyByIdSchema: strategies.strategyByIdSchema,
  namelessStrategyVariantSchema: strategies.namelessStrategyVariantSchema,
  targetingSchema: strategies.targetingSchema,
};
const returned: Schemas = {
  ...stored,
  namelessVariantSchema,
  ...responses,
  ...changes,
  ...errors,
  ...guards,
  ...lists,
  ...documents,
};

export const refer = (name: string) => `#/components/schemas/${name}`;

/**
 * Returns the names of the schemas that accept one of these bodies, and have all of its members. The one with the fewest members comes first:
 * openapi-generator's client for Python tries them in turn, refuses a member that it does not know, and raises on a list
 * where variants are keyed by name. In a oneOf it would try the rest as well.
 */
export function namesFor(bodies: readonly unknown[], from: "sent" | "returned"): string[] {
  const accepting = Object.entries(from === "sent" ? sent : returned).filter(([, schema]) => {
    const strict = schema instanceof z.ZodMiniObject ? z.strictObject(schema.shape) : schema;
    return bodies.some((body) => z.safeParse(strict, body).success);
  });
  const members = ([, schema]: (typeof accepting)[number]) =>
    schema instanceof z.ZodMiniObject ? Object.keys(schema.shape).length : 0;
  // The order of a module's exports differs between esbuild and Vitest.
  const byName = accepting.toSorted(([name], [other]) => (name < other ? -1 : 1));
  return byName.toSorted((left, right) => members(left) - members(right)).map(([name]) => name);
}

/** Returns the schemas sorted by name, because the order of a module's exports differs between esbuild and Vitest. */
export function createSchemas(): Record<string, JsonSchema> {
  const operations = patchOperationSchema.def.options.flatMap(({ shape }) => shape.op.def.values);
  const mapping = Object.fromEntries(operations.map((op) => [op, refer(`${op}OperationSchema`)]));
  const schemas = { ...translate(sent, "input"), ...translate(returned, "output") };
  Object.assign(schemas.patchSchema ?? {}, { discriminator: { propertyName: "op", mapping } });
  const read = readSchemaComments();
  const { jsonPatchSchema: patchesSchema = "", patchOperationSchema: patchSchema = "" } = read;
  const comments = { ...read, patchesSchema, patchSchema };
  return Object.fromEntries(
    Object.entries(schemas)
      .sort(([name], [other]) => (name < other ? -1 : 1))
      .map(([name, schema]) => [name, describe(name, schema, comments)]),
  );
}

function translate(named: Schemas, io: "input" | "output"): Record<string, JsonSchema> {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(named)) registry.add(schema, { id });
  return z.toJSONSchema(registry, { io, uri: refer }).schemas;
}

function describe(name: string, schema: JsonSchema, comments: Comments): JsonSchema {
  for (const [member, property] of Object.entries(schema.properties ?? {})) {
    Object.assign(property, { description: comments[`${name}.${member}`] });
  }
  return { description: comments[name] ?? "", ...schema };
}
