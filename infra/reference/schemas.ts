/** The schemas of the document: translated from the contract's, with Unleash's names, and described. */
import * as z from "zod/mini";
import { detailSchema, errorSchema } from "../../lib/contract/error-body.ts";
import { forbiddenMembers } from "../../lib/contract/json-pointer.ts";
import { limits } from "../../lib/contract/limits.ts";
import { patchesSchema, patchSchema } from "../../lib/contract/patch.ts";
import * as previews from "../../lib/contract/preview.ts";
import { incomingTagSchema, tagSchema, tagsSchema, updateTagsSchema } from "../../lib/contract/tags.ts";
import * as variants from "../../lib/contract/variants.ts";

/** By the name of the operation: "addPatchSchema", "removePatchSchema"... */
const operations = Object.fromEntries(
  patchSchema.def.options.map((option) => [`${option.shape.op.def.values[0]}PatchSchema`, option]),
);

/** What a client may send differs from what is returned: members with a default, and `color` on a tag. */
const sent = {
  ...{ updateTagsSchema, incomingTagSchema, patchesSchema, patchSchema },
  ...operations,
};

const {
  featureVariantsByNameSchema,
  variantsByNameSchema,
  variantsPreviewSchema,
  variantsPreviewByNameSchema,
} = previews;
const environmentPreviewSchema = variantsPreviewSchema.shape.environments.def.element;
const { featureVariantsSchema, namelessVariantSchema, overrideSchema, variantSchema } = variants;

const returned = {
  ...{ tagsSchema, tagSchema, featureVariantsSchema, variantSchema, overrideSchema },
  ...{ featureVariantsByNameSchema, variantsByNameSchema, namelessVariantSchema },
  ...{ variantsPreviewSchema, variantsPreviewByNameSchema },
  environmentPreviewSchema,
  environmentPreviewByNameSchema: variantsPreviewByNameSchema.shape.environments.def.element,
  variantChangeSchema: environmentPreviewSchema.shape.changes.def.innerType.def.element,
  ...{ errorSchema, detailSchema },
};

export type SchemaName = keyof typeof sent | keyof typeof returned;
type JsonSchema = z.core.JSONSchema.BaseSchema;

const optional = "In a patch, `weightType` and `stickiness` may be left out.";

/** Of a schema by its name, of its members by theirs; `schema.member` where a member means something else elsewhere. */
const texts: Readonly<Record<string, string>> = {
  version: "The version of this format: 1.",

  updateTagsSchema: "Tags to add and tags to remove. Both lists are required; either may be empty.",
  addedTags: "Added first. A tag that the feature already has is left as it is.",
  removedTags: "Removed afterwards, so that a tag in both lists is removed. A tag may be missing already.",
  incomingTagSchema: "A tag as a client sends it.",
  color: "Accepted, because newer Unleash versions list it, and dropped.",
  tagSchema: "A tag of a feature.",
  type: "The kind of tag, such as `simple`. Any is accepted.",
  value: "The value; the length of a tag's is counted in Unicode code points.",
  tagsSchema: "The tags of a feature.",
  tags: "All tags of the feature, sorted by type, then by value.",

  patchesSchema: "A JSON Patch (RFC 6902) of the variants of one environment.",
  patchSchema: "One operation of a JSON Patch. `test` is not supported.",
  operation: "Members that the operation does not define are ignored (RFC 6902, section 4).",
  op: "The kind of operation.",
  path: `A JSON Pointer (RFC 6901): \`/0\` is the first variant, \`/-\` the place after the last; with \`by=name\`, \`/blue\` is the variant \`blue\`. It must not contain ${[...forbiddenMembers].join(", ")}.`,
  from: "A JSON Pointer to what is copied or moved, under the same rules as `path`.",

  featureVariantsSchema: "The variants of a feature in one environment.",
  "featureVariantsSchema.variants": "Sorted by name; names are unique.",
  featureVariantsByNameSchema: "The variants of a feature in one environment, keyed by name (`by=name`).",
  "featureVariantsByNameSchema.variants": "Every variant, without its `name`.",
  variantsByNameSchema: "Variants keyed by name.",
  variantSchema: `A variant of a feature. ${optional}`,
  namelessVariantSchema: `A variant of a feature, without its name. ${optional}`,
  name: "URL-friendly, and unique in the environment.",
  weight: `Its share. The weights of an environment sum to ${variants.weightTotal}: what the \`fix\` variants leave is divided evenly among the \`variable\` ones.`,
  weightType: "Whether the weight is kept as sent (`fix`) or calculated (`variable`).",
  stickiness: "The context field that keeps a user on one variant.",
  payload: "Passed on to clients. If `type` is `json`, `value` is the text of a JSON object or list.",
  overrides: "Contexts that always get this variant.",
  overrideSchema: "Values of a context field for which the variant is always chosen.",
  contextName: "The name of the context field.",
  values: "Its values.",

  variantsPreviewSchema: "The response to a dry run of a patch.",
  variantsPreviewByNameSchema: "The response to a dry run of a patch with `by=name`.",
  variants: "The variants after the patch; where it would fail, the current ones.",
  environments: "Every environment of the request, in the project's order.",
  environmentPreviewSchema: "What a patch would do in one environment.",
  environmentPreviewByNameSchema: "What a patch by name would do in one environment.",
  environment: "The name of the environment.",
  outcome: "`unchanged`: the patch has no effect. `failed`: the patch stops here.",
  changes: "A JSON Patch from the current variants to those after the patch, weights and order included.",
  variantChangeSchema: "One operation of a JSON Patch, which applies to the result of those before it.",

  errorSchema: "The body of every error.",
  id: "Identifies this error, in the log line of the request as well.",
  "errorSchema.name": "The kind of error: one for each status.",
  message: "What is wrong, for a person. Its wording is not part of the contract.",
  details: `Every issue of the body (at most ${limits.issues}), or every environment with its outcome.`,
  detailSchema: "One issue, or the outcome of one environment.",
  "detailSchema.outcome": "`not attempted`: the request had stopped before this environment.",
  "detailSchema.path": "A JSON Pointer into the body of the request.",
};

export interface Reference {
  $ref: string;
}

export function reference(name: SchemaName): Reference {
  return { $ref: uri(name) };
}

/** Of a schema of the contract. */
export function nameOf(schema: z.core.$ZodType): SchemaName {
  const found = Object.entries({ ...sent, ...returned }).find(([, other]) => other === schema);
  if (!found) throw new Error("infra/reference/schemas.ts does not list the schema of a route's body");
  return found[0] as SchemaName;
}

export function createSchemas(): Record<string, JsonSchema> {
  const schemas = { ...translate(sent, "input"), ...translate(returned, "output") };
  const mapping = Object.entries(operations).map(([name, { shape }]) => [shape.op.def.values[0], uri(name)]);
  const discriminator = { propertyName: "op", mapping: Object.fromEntries(mapping) };
  Object.assign(schemas.patchSchema ?? {}, { discriminator });
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
  for (const [member, property] of Object.entries(schema.properties ?? {})) {
    const description = texts[`${name}.${member}`] ?? texts[member];
    if (typeof property === "object" && description) property.description = description;
  }
  return { description: texts[name in operations ? "operation" : name] ?? "", ...schema };
}
