/**
 * The bodies of responses about a feature, and of dry runs. The OpenAPI document quotes the comment at the declaration
 * of each member, also where a schema spreads it.
 */
import * as z from "zod/mini";
import { urlFriendlyNameSchema } from "../names.ts";
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
import {
  differenceOperationSchema,
  missingPermissionsMember,
  movesMember,
  versionMember,
} from "./members.ts";

const variantsByNameSchema = z.record(urlFriendlyNameSchema, namelessVariantSchema);

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
const optionalPreviewMembers = {
  ...previewMembers,
  /**
   * In a dry run only. `unchanged`: the request has no effect. `already patched`: an earlier attempt of it has patched
   * the environment. `failed`: the request would stop at the first environment with this outcome.
   */
  outcome: z.exactOptional(outcomeSchema),
};

const dryRunMembers = {
  /** The permissions that the API key lacks for the request itself; in a dry run only, and absent if it lacks none. */
  missingPermissions: missingPermissionsMember,
};

/** What a request would do in one environment. */
export const environmentPreviewSchema = z.object({
  ...previewMembers,
  /** The variants after the request; where it would fail, the current ones. */
  variants: z.array(variantSchema),
});

/** What a request with `by=name` would do in one environment. */
export const environmentPreviewByNameSchema = z.object({
  ...environmentPreviewSchema.shape,
  /** The variants after the request by name, each without its `name`; where it would fail, the current ones. */
  variants: variantsByNameSchema,
});

/** The variants of a feature in one environment; for a dry run, what the request would do. */
export const featureVariantsSchema = z.object({
  ...versionMember,
  /** The variants of the first environment of the request, sorted by name; names are unique. */
  variants: z.array(variantSchema),
  /** Every environment of the request in the project's order, also those after the first failure; in a dry run only. */
  environments: z.exactOptional(z.array(environmentPreviewSchema)),
  ...dryRunMembers,
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
  /** Every environment of the request in the project's order, also those after the first failure; in a dry run only. */
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
  ...versionMember,
  /** The environments of the request, in the project's order. */
  environments: z.array(switchedEnvironmentSchema),
  ...dryRunMembers,
});

const contentMembers = {
  /** Whether the feature is on. */
  enabled: z.boolean(),
  /** The variants by name, each without its `name`. */
  variants: variantsByNameSchema,
  /**
   * The strategies that restrict for whom the feature is on, by id; empty if none does. Each is without its `id`, and has
   * its variants by name.
   */
  strategies: z.record(strategyIdSchema, strategyByIdSchema),
  /** The parent features, each of which has to be as its entry says; absent if there are none. */
  dependencies: z.exactOptional(dependenciesSchema),
  /** flagd's own logic; absent if it is made from the rest. */
  targeting: z.exactOptional(targetingSchema),
};

/** A feature in one environment, with `by=name`. */
export const featureEnvironmentByNameSchema = z.object({
  /** The name of the environment. */
  environment: z.string(),
  ...contentMembers,
  /** The guard of the newest change in effect. Its time may have ended. */
  guard: z.exactOptional(guardSchema),
  /** The ETag of this environment, for `If-Match`. */
  etag: z.string(),
});

/** A feature in one environment. */
export const featureEnvironmentSchema = z.object({
  ...featureEnvironmentByNameSchema.shape,
  /** The variants, sorted by name; names are unique. */
  variants: z.array(variantSchema),
  /** The strategies that restrict for whom the feature is on, in their order; empty if none does. */
  strategies: z.array(strategySchema),
});

/**
 * What decides what SDKs get in an environment after the request; for a dry run, what the request would do, or where it
 * would fail, what the environment has now.
 */
export const patchedEnvironmentSchema = z.object({ ...contentMembers, ...optionalPreviewMembers });

/** What decides what SDKs get in an environment, in the form of its patch. */
export const environmentSchema = z.object({
  ...versionMember,
  ...contentMembers,
  /** The name of the environment. */
  environment: z.string(),
});

/** The environments of a patched feature; for a dry run, what the request would do. */
export const patchedFeatureSchema = z.object({
  ...versionMember,
  /** The environments of the request, in the project's order. */
  environments: z.array(patchedEnvironmentSchema),
  ...dryRunMembers,
});

/** The strategies of a feature in one environment. */
export const strategiesSchema = z.array(strategySchema);

/** The tags of a feature. */
export const tagsSchema = z.object({
  ...versionMember,
  /** The tags of the feature, sorted by type, then by value. */
  tags: z.array(tagSchema),
  /** The permissions that the API key lacks for the update itself; in a dry run only, and absent if it lacks none. */
  missingPermissions: missingPermissionsMember,
});

/** A feature with its tags, and with its content in each environment. */
export const featureSchema = z.object({
  ...versionMember,
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
  /** The feature's environments, in the project's order. */
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
