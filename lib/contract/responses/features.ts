/**
 * The bodies of responses about a feature, and of dry runs. In the OpenAPI document, a member without a comment has
 * that of the first member of its name in this file.
 */
import * as z from "zod/mini";
import { nameInPathSchema } from "../names.ts";
import {
  dependenciesSchema,
  strategyByIdSchema,
  strategyIdSchema,
  strategySchema,
  targetingSchema,
} from "../strategies.ts";
import { tagSchema } from "../tags.ts";
import { namelessVariantSchema, variantSchema } from "../variants.ts";
import { errorCodeSchema, issueSchema, outcomeSchema } from "./error-body.ts";
import { guardSchema } from "./guards.ts";
import { differenceOperationSchema, missingPermissionsMember, movesMember } from "./members.ts";

const variantsByNameSchema = z.record(nameInPathSchema, namelessVariantSchema);

/** The members that every dry run has for an environment. */
const previewMembers = {
  /** The name of the environment. */
  environment: z.string(),
  /**
   * `unchanged`: the request has no effect. `already patched`: an earlier attempt of it has patched the environment.
   * `failed`: the request would stop at the first environment with this outcome.
   */
  outcome: outcomeSchema,
  /**
   * A JSON Patch from what the environment has to what it would have. Sent as a patch, it normalises imported weights
   * again.
   */
  difference: z.exactOptional(z.array(differenceOperationSchema)),
  /** The users who would get something else. */
  moves: movesMember,
  /**
   * Warns of what may surprise: a variant or strategy that an `add` replaces, a weight that has no effect or changes
   * without being set, or a change that SDKs will not see. Its wording is not part of the contract.
   */
  hint: z.exactOptional(z.string()),
  /** The `code` of the error with which the request would fail here. */
  code: z.exactOptional(errorCodeSchema),
  /** Why the request would fail here. Its wording is not part of the contract. */
  message: z.exactOptional(z.string()),
  /** Every issue of the patched environment, at most {@link limits.listedIssues}. */
  issues: z.exactOptional(z.array(issueSchema)),
};

/** The members of a dry run, for bodies that dry runs and writes share. A write has only `environment` of them. */
const optionalPreviewMembers = { ...previewMembers, outcome: z.exactOptional(previewMembers.outcome) };

/** What a request would do in one environment. */
export const environmentPreviewSchema = z.object({
  ...previewMembers,
  /** The variants after the request; where it would fail, the current ones. */
  variants: z.array(variantSchema),
});

/** What a request with `by=name` would do in one environment. */
export const environmentPreviewByNameSchema = z.object({
  ...environmentPreviewSchema.shape,
  variants: variantsByNameSchema,
});

/** The variants of a feature in one environment; for a dry run, what the request would do. */
export const featureVariantsSchema = z.object({
  version: z.int(),
  /** The variants of the first environment of the request, sorted by name; names are unique. */
  variants: z.array(variantSchema),
  /** Every environment of the request in the project's order, also those after the first failure; in a dry run only. */
  environments: z.exactOptional(z.array(environmentPreviewSchema)),
  /** The permissions that the API key lacks for the request itself; in a dry run only, and absent if it lacks none. */
  missingPermissions: missingPermissionsMember,
});

/**
 * The variants of a feature in one environment, keyed by name (`by=name`); for a dry run, what the request would do.
 */
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
  ...optionalPreviewMembers,
});

/** Whether a feature is on in each environment of a switch; for a dry run, what the request would do. */
export const switchedFeatureSchema = z.object({
  version: z.int(),
  /** The environments of the request, in the project's order. */
  environments: z.array(switchedEnvironmentSchema),
  missingPermissions: missingPermissionsMember,
});

/** A feature in one environment. */
export const featureEnvironmentSchema = z.object({
  /** The name of the environment. */
  environment: z.string(),
  /** Whether the feature is on. */
  enabled: z.boolean(),
  variants: z.array(variantSchema),
  /** The strategies that restrict for whom the feature is on, in their order; empty if none does. */
  strategies: z.array(strategySchema),
  /** The features that have to be on too; absent if there are none. */
  dependencies: z.exactOptional(dependenciesSchema),
  /** flagd's own logic; absent if it is made from the rest. */
  targeting: z.exactOptional(targetingSchema),
  /** The guard of the newest change in effect. Its time may have ended. */
  guard: z.exactOptional(guardSchema),
  /** The ETag of this environment, for `If-Match`. */
  etag: z.string(),
});

const strategiesByIdSchema = z.record(strategyIdSchema, strategyByIdSchema);

/** A feature in one environment, with `by=name`. */
export const featureEnvironmentByNameSchema = z.object({
  ...featureEnvironmentSchema.shape,
  variants: variantsByNameSchema,
  /** The strategies by id, each without its `id`, with its variants by name. */
  strategies: strategiesByIdSchema,
});

const contentMembers = {
  enabled: z.boolean(),
  /** The variants by name, each without its `name`. */
  variants: variantsByNameSchema,
  strategies: strategiesByIdSchema,
  dependencies: z.exactOptional(dependenciesSchema),
  targeting: z.exactOptional(targetingSchema),
};

/** What decides what SDKs get in an environment; for a dry run, what the request would do. */
export const patchedEnvironmentSchema = z.object({ ...contentMembers, ...optionalPreviewMembers });

/** What decides what SDKs get in an environment, in the form of its patch. */
export const environmentSchema = z.object({
  version: z.int(),
  ...contentMembers,
  environment: previewMembers.environment,
});

/** The environments of a patched feature; for a dry run, what the request would do. */
export const patchedFeatureSchema = z.object({
  version: z.int(),
  /** The environments of the request, in the project's order. */
  environments: z.array(patchedEnvironmentSchema),
  missingPermissions: missingPermissionsMember,
});

/** The strategies of a feature in one environment. */
export const strategiesSchema = z.array(strategySchema);

/** The tags of a feature. */
export const tagsSchema = z.object({
  /** The version of this format: 1. */
  version: z.int(),
  /** The tags of the feature, sorted by type, then by value. */
  tags: z.array(tagSchema),
  /** The permissions that the API key lacks for the update itself; in a dry run only, and absent if it lacks none. */
  missingPermissions: missingPermissionsMember,
});

/** A feature with its tags, and with its content in each environment. */
export const featureSchema = z.object({
  version: z.int(),
  /** The name of the feature. */
  name: z.string(),
  /** The id of its project. */
  project: z.string(),
  /** The tags of the feature, sorted by type, then by value. */
  tags: z.array(tagSchema),
  /** The feature's environments, in the project's order. */
  environments: z.array(featureEnvironmentSchema),
});

/** A feature with its tags, and with its content in each environment, with `by=name`. */
export const featureByNameSchema = z.object({
  ...featureSchema.shape,
  /** The form of the variants; a body by index has none. Generated clients distinguish the two forms by it. */
  by: z.literal("name"),
  environments: z.array(featureEnvironmentByNameSchema),
});

/** A feature that was deleted. */
export const deletionSchema = z.object({
  /** The id of the deletion, as `history` lists it. */
  deletion: z.string(),
  /** Until then the feature can be restored. */
  restorableUntil: z.string(),
});

export type Tags = z.infer<typeof tagsSchema>;
export type SwitchedEnvironment = z.infer<typeof switchedEnvironmentSchema>;
export type PatchedEnvironment = z.infer<typeof patchedEnvironmentSchema>;
export type FeatureEnvironment = z.infer<typeof featureEnvironmentSchema>;
export type FeatureEnvironmentByName = z.infer<typeof featureEnvironmentByNameSchema>;
export type Deletion = z.infer<typeof deletionSchema>;
