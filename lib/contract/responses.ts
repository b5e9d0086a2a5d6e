/** Bodies that only responses have. A member without a comment has that of the first member of its name. */
import * as z from "zod/mini";
import { missingPermissionsMember } from "./missing-permissions.ts";
import { tagSchema } from "./tags.ts";
import { namelessVariantSchema, variantNameSchema, variantSchema } from "./variants.ts";

const variantsByNameSchema = z.record(variantNameSchema, namelessVariantSchema);

/** One operation of a JSON Patch of the variants by name, which applies to the result of those before it. */
export const differenceOperationSchema = z.object({
  op: z.enum(["add", "remove", "replace"]),
  /** A JSON Pointer (RFC 6901) into the variants by name. */
  path: z.string(),
  value: z.optional(z.unknown()),
});

/** What is wrong in one place. */
export const issueSchema = z.object({
  /** A JSON Pointer into the patched variants. */
  path: z.exactOptional(z.string()),
  /** What is wrong, for a person. Its wording is not part of the contract. */
  message: z.exactOptional(z.string()),
});

/** What a request would do in one environment. */
export const environmentPreviewSchema = z.object({
  /** The name of the environment. */
  environment: z.string(),
  /** `unchanged`: the request has no effect. `failed`: it would stop at the first of these. */
  outcome: z.enum(["patched", "unchanged", "failed"]),
  /** Whether the feature would be on, where the request switches it. */
  enabled: z.exactOptional(z.boolean()),
  /** A JSON Patch by name from the current variants to those after the request, weights included. */
  changes: z.exactOptional(z.array(differenceOperationSchema)),
  /**
   * A variant that the patch replaces without saying so, a weight that it sets without effect or moves without setting
   * it, or why SDKs will not see the change. Its wording is not part of the contract.
   */
  hint: z.exactOptional(z.string()),
  /** Why the request would fail here. Its wording is not part of the contract. */
  message: z.exactOptional(z.string()),
  /** Every issue of the patched variants, at most {@link limits.issues}. */
  issues: z.exactOptional(z.array(issueSchema)),
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
  /**
   * Those of the first environment of the request; names are unique. Each patch sorts the variants by name; an import
   * keeps the order of its file.
   */
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
  /** Those of the first environment of the request, each without its `name`. */
  variants: variantsByNameSchema,
  environments: z.exactOptional(z.array(environmentPreviewByNameSchema)),
});

/** Whether a feature is on in one environment. */
export const switchedEnvironmentSchema = z.object({
  /** The name of the environment. */
  environment: z.string(),
  /** Whether the feature is on, after the request. */
  enabled: z.boolean(),
  /** Of a dry run. `unchanged`: it is so already. `failed`: the request would stop at the first of these. */
  outcome: z.exactOptional(z.enum(["patched", "unchanged", "failed", "not attempted"])),
  /** Of a dry run: why SDKs will not see the switch. Its wording is not part of the contract. */
  hint: z.exactOptional(z.string()),
  /** Why the request would fail here. Its wording is not part of the contract. */
  message: z.exactOptional(z.string()),
});

/** Where a feature is on; for a dry run, what the request would do. */
export const switchedFeatureSchema = z.object({
  version: z.int(),
  /** Those of the request, in the project's order. */
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
  /** That of the variants in this environment, for `If-Match`. */
  etag: z.string(),
});

/** The same with `by=name`. */
export const featureEnvironmentByNameSchema = z.object({
  ...featureEnvironmentSchema.shape,
  variants: variantsByNameSchema,
});

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

/** What a change did in one environment. */
export const changeInEnvironmentSchema = z.object({
  environment: z.string(),
  /** A JSON Patch by name from the variants before the change to those after it. */
  changes: z.array(differenceOperationSchema),
  /** Whether the feature was on after the change, where the change switched it. */
  enabled: z.exactOptional(z.boolean()),
  /** Whether a request at this path can undo the change here: it is the newest in effect in each environment of the path. */
  canUndo: z.boolean(),
  /** The id of the change that has undone it here. */
  undoneBy: z.exactOptional(z.string()),
});

/** What one request did: a patch, a switch, an undo or a command of an operator. */
export const featureChangeSchema = z.object({
  /** The id to undo, as in the header `burgee-change`. */
  id: z.string(),
  /** The name of the API key, or of the operator. */
  by: z.string(),
  /** The time at which its request began. */
  at: z.string(),
  /** Why, in the words of the caller: `Burgee-Reason`. */
  reason: z.exactOptional(z.string()),
  /** The id of the change that it undoes. */
  undoes: z.exactOptional(z.string()),
  /** The environments that have the change among their newest, in the project's order. */
  environments: z.array(changeInEnvironmentSchema),
});

/** The last changes of a feature's variants. */
export const changesSchema = z.object({
  version: z.int(),
  /**
   * The newest {@link limits.listedChanges} of each environment, of the last {@link limits.changeDays} days, as far as they fit
   * in a response. In one environment in the order of its writes, newest first; over all environments by `at`.
   */
  changes: z.array(featureChangeSchema),
  /** Present if older changes are kept, which can be undone once those after them are. */
  more: z.exactOptional(z.boolean()),
});

/** An issue of the body, a missing permission, or the outcome of one environment. */
export const detailSchema = z.object({
  /** A JSON Pointer into the body of the request. */
  path: z.exactOptional(z.string()),
  environment: z.exactOptional(z.string()),
  /** `not attempted`: nothing was written here, because the request failed in another environment. */
  outcome: z.exactOptional(z.enum(["patched", "unchanged", "failed", "not attempted"])),
  message: z.exactOptional(z.string()),
  /** Every issue of the patched variants of the environment, at most {@link limits.issues}. */
  issues: z.exactOptional(z.array(issueSchema)),
});

/** The body of an error of API Gateway itself. */
export const gatewayErrorSchema = z.object({
  message: z.string(),
});

/** The body of every other error. */
export const errorSchema = z.object({
  /** Identifies this error, in the log line of the request as well. */
  id: z.uuid(),
  /** The kind of error: one for each status. */
  name: z.string(),
  message: z.string(),
  /** Every issue of the body (at most {@link limits.issues}), every missing permission, or every environment with its outcome. */
  details: z.exactOptional(z.array(detailSchema)),
});

export type DifferenceOperation = z.infer<typeof differenceOperationSchema>;
export type EnvironmentPreview = z.infer<typeof environmentPreviewSchema>;
export type ChangeInEnvironment = z.infer<typeof changeInEnvironmentSchema>;
export type ListedChange = z.infer<typeof featureChangeSchema>;
export type SwitchedEnvironment = z.infer<typeof switchedEnvironmentSchema>;
export type Detail = z.infer<typeof detailSchema>;
export type ErrorBody = z.infer<typeof errorSchema>;
