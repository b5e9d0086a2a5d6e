/** Compares each response with the contract's schema for its operation. */
import * as z from "zod/mini";
import * as read from "../../functions/read.ts";
import * as tags from "../../functions/tags.ts";
import * as variants from "../../functions/variants.ts";
import { declaredRoutes, findDeclaredRoute } from "../../infra/local/routes.ts";
import { type OperationId, responseOf, type SuccessName } from "../../infra/reference/cases.ts";
import { changesSchema } from "../../lib/contract/responses/changes.ts";
import { clientFeaturesSchema, flagdDocumentSchema } from "../../lib/contract/responses/documents.ts";
import { errorSchema } from "../../lib/contract/responses/error-body.ts";
import {
  deletionSchema,
  environmentPreviewSchema,
  environmentSchema,
  featureByNameSchema,
  featureSchema,
  featureVariantsByNameSchema,
  featureVariantsSchema,
  patchedEnvironmentSchema,
  patchedFeatureSchema,
  strategiesSchema,
  switchedEnvironmentSchema,
  switchedFeatureSchema,
  tagsSchema,
} from "../../lib/contract/responses/features.ts";
import { trippedFeatureSchema, trippedGuardSchema } from "../../lib/contract/responses/guards.ts";
import {
  featuresSchema,
  featuresWithEnvironmentsByNameSchema,
  featuresWithEnvironmentsSchema,
  projectsSchema,
} from "../../lib/contract/responses/lists.ts";
import { strategySchema } from "../../lib/contract/strategies.ts";
import type { HttpRequest } from "./event.ts";

type Sent = Pick<HttpRequest, "method" | "path">;

/** Throws if a response lacks a member of the contract, or has one that the contract lacks. */
export function requireShape(request: Sent, status: number, json: unknown): void {
  const shape = status >= 400 ? errorSchema : shapeOf(request);
  const { success, error } = z.safeParse(strictly(shape), json);
  if (success) return;
  const what = `${request.method} ${request.path} answered ${status} ${JSON.stringify(json)}`;
  throw new Error(`${what}, which is not of the shape in ${import.meta.url}: ${z.prettifyError(error)}`);
}

/** The same schema, which refuses members that it does not name, at every level. */
function strictly(schema: z.ZodMiniType): z.ZodMiniType {
  const known = strict.get(schema);
  if (known) return known;
  const made = makeStrict(schema);
  strict.set(schema, made);
  return made;
}

const strict = new WeakMap<z.ZodMiniType, z.ZodMiniType>();

function makeStrict(schema: z.ZodMiniType): z.ZodMiniType {
  const inner = (one: unknown) => strictly(one as z.ZodMiniType);
  if (schema instanceof z.ZodMiniObject) {
    if (schema.def.catchall) return schema;
    const members = Object.entries(schema.shape).map(([name, member]) => [name, inner(member)]);
    return z.strictObject(Object.fromEntries(members));
  }
  if (schema instanceof z.ZodMiniArray) return z.array(inner(schema.def.element));
  if (schema instanceof z.ZodMiniOptional) return z.optional(inner(schema.def.innerType));
  if (schema instanceof z.ZodMiniExactOptional) return z.exactOptional(inner(schema.def.innerType));
  if (schema instanceof z.ZodMiniNullable) return z.nullable(inner(schema.def.innerType));
  if (schema instanceof z.ZodMiniUnion) return z.union(schema.def.options.map(inner));
  if (schema instanceof z.ZodMiniRecord) return z.record(z.string(), inner(schema.def.valueType));
  return schema;
}

function shapeOf(request: Sent): z.ZodMiniType {
  const [name] = [responseOf[operationOf(request)]].flat() as [SuccessName];
  const query = new URLSearchParams(request.path.split("?")[1]);
  const isByName = query.get("by") === "name";
  const isDryRun = query.get("dryRun") === "true";
  return shapes[name]({ isByName, isDryRun, hasEnvironments: query.has("with", "environments") });
}

const routes = { ...tags.routes, ...variants.routes, ...read.routes };
const operations = Object.keys(routes) as OperationId[];

function operationOf({ method, path }: Sent): OperationId {
  const declared = findDeclaredRoute(declaredRoutes, method, path);
  const operation = operations.find(
    (one) => routes[one].path === declared?.path && routes[one].method === method,
  );
  if (!operation) throw new Error(`no operation serves ${method} ${path}`);
  return operation;
}

interface Mode {
  isByName: boolean;
  isDryRun: boolean;
  hasEnvironments: boolean;
}

type Shape = (mode: Mode) => z.ZodMiniType;

const feature: Shape = ({ isByName }) => (isByName ? featureByNameSchema : featureSchema);
const variantsOf = (isByName: boolean) => (isByName ? featureVariantsByNameSchema : featureVariantsSchema);
const strategyOrPreview: Shape = ({ isDryRun }) => (isDryRun ? patchedFeatureSchema : strategySchema);

/** The members of an environment that a dry run alone has. */
const { environment: _, variants: __, ...ofDryRun } = environmentPreviewSchema.shape;

/** The body of a dry run without these members, as a write has it. */
function written(body: z.ZodMiniObject, environment: z.ZodMiniObject): z.ZodMiniType {
  const members = Object.entries(environment.shape).filter(([name]) => !(name in ofDryRun));
  const environments = z.array(z.object(Object.fromEntries(members)));
  return z.omit(z.extend(body, { environments }), { missingPermissions: true });
}

const storedTags = z.omit(tagsSchema, { missingPermissions: true });

/** The outcomes of a trip, or of its dry run. */
function tripped({ isDryRun }: Mode): z.ZodMiniType {
  const outcome = z.enum(isDryRun ? ["would undo", "changed since", "failed"] : ["undone", "changed since"]);
  const features = z.array(z.extend(trippedFeatureSchema, { outcome }));
  const shape = z.extend(trippedGuardSchema, { features });
  return isDryRun ? shape : z.omit(shape, { missingPermissions: true });
}

const shapes: Readonly<Record<SuccessName, Shape>> = {
  Feature: feature,
  CreatedFeature: () => featureSchema,
  DeletedFeature: () => deletionSchema,
  SwitchedFeature: ({ isDryRun }) =>
    isDryRun ? switchedFeatureSchema : written(switchedFeatureSchema, switchedEnvironmentSchema),
  Tags: () => storedTags,
  TagsPreview: ({ isDryRun }) => (isDryRun ? tagsSchema : storedTags),
  UpdatedTags: () => storedTags,
  Variants: ({ isByName }) => z.omit(variantsOf(isByName), { environments: true, missingPermissions: true }),
  PatchedVariants({ isByName, isDryRun }) {
    const schema = variantsOf(isByName);
    if (isDryRun) return z.extend(schema, { environments: z.nonoptional(schema.shape.environments) });
    return z.omit(schema, { environments: true, missingPermissions: true });
  },
  PatchedFeature: ({ isDryRun }) =>
    isDryRun ? patchedFeatureSchema : written(patchedFeatureSchema, patchedEnvironmentSchema),
  PatchedStrategy: strategyOrPreview,
  AddedStrategy: strategyOrPreview,
  ReplacedStrategy: strategyOrPreview,
  RemovedStrategy: () => patchedFeatureSchema,
  Strategy: () => strategySchema,
  Strategies: () => strategiesSchema,
  Environment: () => environmentSchema,
  TrippedGuard: tripped,
  Changes: () => changesSchema,
  Projects: () => projectsSchema,
  Features({ isByName, hasEnvironments }) {
    if (!hasEnvironments) return featuresSchema;
    return isByName ? featuresWithEnvironmentsByNameSchema : featuresWithEnvironmentsSchema;
  },
  ClientFeatures: () => clientFeaturesSchema,
  FlagdDocument: () => flagdDocumentSchema,
};
