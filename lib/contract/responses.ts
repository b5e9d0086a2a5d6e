/**
 * Bodies of responses about a feature, and of dry runs. A member without a comment has that of the first member of its name.
 */
import * as z from "zod/mini";
import { issueSchema, outcomeSchema } from "./error-body.ts";
import { guardSchema } from "./guards.ts";
import { missingPermissionsMember } from "./missing-permissions.ts";
import { movesMember } from "./moves.ts";
import { nameInPathSchema } from "./names.ts";
import {
  dependenciesSchema,
  namelessStrategySchema,
  strategyIdSchema,
  strategySchema,
  targetingSchema,
} from "./strategies.ts";
import { tagSchema } from "./tags.ts";
import { namelessVariantSchema, variantSchema } from "./variants.ts";

const variantsByNameSchema = z.record(nameInPathSchema, namelessVariantSchema);

/**
 * One operation of a JSON Patch of an environment, with variants by name and strategies by id. It applies to the result of
 * those before it.
 */
export const differenceOperationSchema = z.object({
  op: z.enum(["add", "remove", "replace"]),
  /** A JSON Pointer (RFC 6901) into the environment, such as `/variants/blue/weight`. */
  path: z.string(),
  value: z.optional(z.unknown()),
  /** What `replace` replaces, if that is a text, a number, a Boolean or null. */
  was: z.optional(z.unknown()),
});

/** What a dry run shows of an environment, whatever the request changes. */
const previewMembers = {
  /** The name of the environment. */
  environment: z.string(),
  /**
   * `unchanged`: the request has no effect. `already patched`: an earlier attempt of it has patched the environment.
   * `failed`: the request would stop at the first of these.
   */
  outcome: outcomeSchema,
  /** A JSON Patch of the environment from what it has to what it would have. It can be sent as it is. */
  difference: z.exactOptional(z.array(differenceOperationSchema)),
  /** Which users would get something else. */
  moves: movesMember,
  /**
   * A variant that the patch replaces without saying so, a weight that it sets without effect or moves without setting
   * it, or why SDKs will not see the change. Its wording is not part of the contract.
   */
  hint: z.exactOptional(z.string()),
  /** Why the request would fail here. Its wording is not part of the contract. */
  message: z.exactOptional(z.string()),
  /** Every issue of the patched environment, at most {@link limits.issues}. */
  issues: z.exactOptional(z.array(issueSchema)),
};

/** The same in a body that a request has too, where only a dry run has them. */
const membersOfDryRun = { ...previewMembers, outcome: z.exactOptional(previewMembers.outcome) };

/** What a request would do in one environment. */
export const environmentPreviewSchema = z.object({
  ...previewMembers,
  /** The variants after the request; where it would fail, the current ones. */
  variants: z.array(variantSchema),
});

/** The same with `by=name`. */
export const environmentPreviewByNameSchema = z.object({
  ...environmentPreviewSchema.shape,
  variants: variantsByNameSchema,
});

/** The variants of a feature in one environment; for a dry run, what the request would do. */
export const featureVariantsSchema = z.object({
  version: z.int(),
  /** Those of the first environment of the request, sorted by name; names are unique. */
  variants: z.array(variantSchema),
  /** Of a dry run: every environment of the request in the project's order, those after the first failure included. */
  environments: z.exactOptional(z.array(environmentPreviewSchema)),
  /** Of a dry run: what the API key lacks for the request itself; absent if it lacks nothing. */
  missingPermissions: missingPermissionsMember,
});

/** The variants of a feature in one environment, keyed by name (`by=name`); for a dry run, what the request would do. */
export const featureVariantsByNameSchema = z.object({
  ...featureVariantsSchema.shape,
  /** The form of the variants; a response by index has none. Generated clients distinguish the two forms by it. */
  by: z.literal("name"),
  /** The variants of the first environment of the request, each without its `name`. */
  variants: variantsByNameSchema,
  environments: z.exactOptional(z.array(environmentPreviewByNameSchema)),
});

/** Whether a feature is on in one environment. */
export const switchedEnvironmentSchema = z.object({
  /** Whether the feature is on, after the request. */
  enabled: z.boolean(),
  ...membersOfDryRun,
});

/** Where a feature is on; for a dry run, what the request would do. */
export const switchedFeatureSchema = z.object({
  version: z.int(),
  /** The environments of the request, in the project's order. */
  environments: z.array(switchedEnvironmentSchema),
  /** Of a dry run: what the API key lacks for the request itself; absent if it lacks nothing. */
  missingPermissions: missingPermissionsMember,
});

/** A feature in one environment. */
export const featureEnvironmentSchema = z.object({
  /** The name of the environment. */
  environment: z.string(),
  /** Whether the feature is on. */
  enabled: z.boolean(),
  variants: z.array(variantSchema),
  /** For whom it is on, in their order; none: for everyone. */
  strategies: z.array(strategySchema),
  /** The features that have to be on too; absent: none. */
  dependencies: z.exactOptional(dependenciesSchema),
  /** flagd's own logic; absent: it is made from the rest. */
  targeting: z.exactOptional(targetingSchema),
  /** The guard of the newest change in effect. It may be over. */
  guard: z.exactOptional(guardSchema),
  /** The ETag of this environment, for `If-Match`. */
  etag: z.string(),
});

const strategiesByIdSchema = z.record(strategyIdSchema, namelessStrategySchema);

/** The same with `by=name`. */
export const featureEnvironmentByNameSchema = z.object({
  ...featureEnvironmentSchema.shape,
  variants: variantsByNameSchema,
  /** By id, each without it, and with its variants by name. */
  strategies: strategiesByIdSchema,
});

/** All that decides what SDKs get in an environment; for a dry run, what the request would do. */
export const patchedEnvironmentSchema = z.object({
  enabled: z.boolean(),
  /** By name, each without its `name`. */
  variants: variantsByNameSchema,
  strategies: strategiesByIdSchema,
  dependencies: z.exactOptional(dependenciesSchema),
  targeting: z.exactOptional(targetingSchema),
  ...membersOfDryRun,
});

/** All that decides what SDKs get in an environment, in the form of its patch. */
export const environmentSchema = z.object({
  version: z.int(),
  ...z.omit(patchedEnvironmentSchema, {
    outcome: true,
    message: true,
    hint: true,
    difference: true,
    moves: true,
    issues: true,
  }).shape,
});

/** The environments of a patched feature; for a dry run, what the request would do. */
export const patchedFeatureSchema = z.object({
  version: z.int(),
  /** The environments of the request, in the project's order. */
  environments: z.array(patchedEnvironmentSchema),
  /** Of a dry run: what the API key lacks for the request itself; absent if it lacks nothing. */
  missingPermissions: missingPermissionsMember,
});

/** The strategies of a feature in one environment. */
export const strategiesSchema = z.array(strategySchema);

/** A feature with its tags, and what it is in each environment. */
export const featureSchema = z.object({
  version: z.int(),
  /** The name of the feature. */
  name: z.string(),
  /** The id of its project. */
  project: z.string(),
  /** All tags of the feature, sorted by type, then by value. */
  tags: z.array(tagSchema),
  /** In the project's order. */
  environments: z.array(featureEnvironmentSchema),
});

/** The same with `by=name`. */
export const featureByNameSchema = z.object({
  ...featureSchema.shape,
  /** The form of the variants, which tells this body from the other one. */
  by: z.literal("name"),
  environments: z.array(featureEnvironmentByNameSchema),
});

export type DifferenceOperation = z.infer<typeof differenceOperationSchema>;
export type EnvironmentPreview = z.infer<typeof environmentPreviewSchema>;
export type SwitchedEnvironment = z.infer<typeof switchedEnvironmentSchema>;
