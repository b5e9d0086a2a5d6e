/** The responses of the document, by their names in it, and the requests that they are recorded from. */
import type { routes as read } from "../../functions/read.ts";
import type { routes as tags } from "../../functions/tags.ts";
import type { routes as variants } from "../../functions/variants.ts";
import type { Permission } from "../../lib/access/permissions.ts";
import { limits } from "../../lib/contract/limits.ts";
import type { Route } from "../../lib/http/route.ts";
import type { pathValues } from "./parameters.ts";

export type OperationId = keyof typeof tags | keyof typeof variants | keyof typeof read;

/** A request to a service that has the demo's state. */
export interface Case {
  /** Values in the path, percent-encoded. */
  path?: Partial<typeof pathValues>;
  query?: string;
  headers?: Readonly<Record<string, string>>;
  /** Text is sent as it is, any other value as JSON. */
  body?: unknown;
  /** The permissions of the API key; ADMIN when absent. */
  permissions?: Permission[];
  /** The request that is sent first. */
  before?: Case;
  /** The operation to which it is sent; that of its response when absent. */
  at?: OperationId;
  /** The time that the invocation has left. */
  remainingMs?: () => number;
}

export type Cases = Readonly<Record<string, Case>>;

/** The examples are recorded at the operation. Cases are named as examples. */
function recordedAt(operation: OperationId, cases: Cases) {
  return { operation, cases };
}

/** The examples are recorded at the operation; `isOf` says which other routes have the response too. */
function sharedBy(isOf: (route: Route<never>) => boolean, operation: OperationId, cases: Cases) {
  return { isOf, operation, cases };
}

const every = () => true;
const reads = ({ method }: Route<never>) => method === "GET";
const writes = ({ method }: Route<never>) => method !== "GET";

const tag = (value: string) => ({ type: "simple", value });
const update = { addedTags: [tag("team-b")], removedTags: [tag("team-a")] };

const replace = [{ op: "replace", path: "/0/stickiness", value: "tenant" }];
const add = [{ op: "add", path: "/-", value: { name: "red", weight: 0 } }];
const addWeighted = [{ op: "add", path: "/-", value: { name: "red", weight: 250 } }];
const addByName = [{ op: "add", path: "/red", value: { weight: 0 } }];
const rename = [{ op: "move", from: "/blue", path: "/azure" }];
/** Production has one variant only, `blue`. */
const replaceSecond = [{ op: "replace", path: "/1/stickiness", value: "tenant" }];
const invalid = [
  { op: "test", path: "/0/weight", value: 500 },
  { op: "remove", path: "/0/constructor" },
];

const strategy = {
  name: "flexibleRollout",
  parameters: { rollout: "25", stickiness: "default", groupId: "checkout" },
};
const addStrategy = [{ op: "add", path: "/strategies/quarter", value: strategy }];
const toHalf = [{ op: "replace", path: "/parameters/rollout", value: "50" }];
const withStrategy: Case = { at: "patchFeatureEnvironment", body: addStrategy };
const idempotent = { headers: { "idempotency-key": "b4e0a9b2" } };
const patched: Case = { at: "patchFeatureVariants", body: replace, ...idempotent };
const guarded: Case = {
  at: "patchEnvironmentsFeatureVariants",
  body: addWeighted,
  headers: { "burgee-guard": "checkout-errors; for=30m", ...idempotent.headers },
};
const oneEnvironmentOnly: Permission[] = [
  { permission: "UPDATE_FEATURE_VARIANTS" },
  { permission: "UPDATE_FEATURE_ENVIRONMENT_VARIANTS", environment: "development" },
];

const toRead: Permission[] = [{ permission: "READ" }];

function fail(): never {
  throw new Error("recorded");
}

/** The responses of operations that succeed. */
export const successes = {
  Feature: recordedAt("getFeature", {
    "With its variants": {},
    "By name": { query: "by=name" },
  }),
  CreatedFeature: recordedAt("createFeature", {
    "A new feature": { body: { name: "search-as-you-type", type: "release" } },
    "A restored feature": { at: "restoreFeature", before: { at: "archiveFeature" } },
  }),
  DeletedFeature: recordedAt("archiveFeature", { Deleted: {} }),
  SwitchedFeature: recordedAt("toggleFeatureOff", {
    "Off everywhere": {},
    "Dry run": { query: "dryRun=true" },
    "Dry run with a key that may only read": { query: "dryRun=true", permissions: toRead },
  }),
  Tags: recordedAt("listTags", { "Current tags": {} }),
  TagsPreview: recordedAt("updateTags", {
    "Dry run": { body: update, query: "dryRun=true" },
    "Dry run with a key that may only read": { body: update, query: "dryRun=true", permissions: toRead },
  }),
  UpdatedTags: recordedAt("updateTags", {
    "Add one tag, remove another": { body: update },
  }),
  Variants: recordedAt("getFeatureVariants", {
    "Current variants": {},
    "By name": { query: "by=name" },
  }),
  PatchedVariants: recordedAt("patchFeatureVariants", {
    "Change a field of the first variant": { body: replace },
    "By name: add a variant": { body: addByName, query: "by=name" },
    "Strict dry run": { body: addWeighted, query: "dryRun=true", headers: { prefer: "handling=strict" } },
    "By name: dry run of a rename": { body: rename, query: "by=name&dryRun=true" },
    "Dry run with a key that may only read": { body: add, query: "dryRun=true", permissions: toRead },
    "A weight without effect": { body: addWeighted },
    "Undo of the first": { at: "undoFeatureChange", before: patched },
  }),
  PatchedFeature: recordedAt("patchFeature", {
    "Add a rollout to a quarter of the users": { body: addStrategy },
    "Dry run": { body: addStrategy, query: "dryRun=true" },
  }),
  PatchedStrategy: recordedAt("patchFeatureStrategy", {
    "To half of the users": { before: withStrategy, body: toHalf },
    "Dry run": { before: withStrategy, body: toHalf, query: "dryRun=true" },
  }),
  TrippedGuard: recordedAt("tripGuard", {
    "Undo what is under the guard": { before: guarded },
    "Dry run": { before: guarded, query: "dryRun=true" },
    "Dry run with a key that lacks the permission": {
      before: guarded,
      query: "dryRun=true",
      permissions: [{ permission: "UPDATE_FEATURE_ENVIRONMENT_VARIANTS" }],
    },
  }),
  AddedStrategy: recordedAt("addFeatureStrategy", {
    "A quarter of the users": { body: { id: "quarter", ...strategy } },
    "Dry run": { body: { id: "quarter", ...strategy }, query: "dryRun=true" },
  }),
  ReplacedStrategy: recordedAt("updateFeatureStrategy", {
    "To half of the users": {
      before: withStrategy,
      body: { ...strategy, parameters: { ...strategy.parameters, rollout: "50" } },
    },
    "Dry run": { before: withStrategy, body: strategy, query: "dryRun=true" },
  }),
  RemovedStrategy: recordedAt("deleteFeatureStrategy", {
    Removed: { before: withStrategy },
  }),
  Strategy: recordedAt("getFeatureStrategy", {
    "Current strategy": { before: withStrategy },
  }),
  Environment: recordedAt("getFeatureEnvironment", {
    "All that it has": { before: withStrategy },
  }),
  Strategies: recordedAt("getFeatureStrategies", {
    "Current strategies": { before: withStrategy },
  }),
  Changes: recordedAt("listFeatureChanges", { "After a patch": { before: patched } }),
  Projects: recordedAt("listProjects", { "Projects of a key": {} }),
  Features: recordedAt("listFeatures", {
    "All features": {},
    "One page": { query: "limit=1" },
    "With their environments": { query: "with=environments" },
    "With their environments, by name": { query: "with=environments&by=name" },
  }),
  ClientFeatures: recordedAt("getClientFeatures", {
    "For Unleash's SDKs": {},
    "Of variants with several stickinesses": { before: patched },
  }),
  FlagdDocument: recordedAt("getFlagdDocument", {
    "For flagd": {},
    "Of variants with several stickinesses": { before: patched },
  }),
};

export type SuccessName = keyof typeof successes;

/** The response of each operation where it succeeds: two where its dry run has another status. */
export const responseOf = {
  listProjects: "Projects",
  listFeatures: "Features",
  createFeature: "CreatedFeature",
  getFeature: "Feature",
  patchFeature: "PatchedFeature",
  archiveFeature: "DeletedFeature",
  restoreFeature: "CreatedFeature",
  getFeatureEnvironment: "Environment",
  patchFeatureEnvironment: "PatchedFeature",
  listTags: "Tags",
  updateTags: ["TagsPreview", "UpdatedTags"],
  getFeatureVariants: "Variants",
  patchFeatureVariants: "PatchedVariants",
  getEnvironmentFeatureVariants: "Variants",
  patchEnvironmentsFeatureVariants: "PatchedVariants",
  getFeatureStrategies: "Strategies",
  addFeatureStrategy: "AddedStrategy",
  getFeatureStrategy: "Strategy",
  updateFeatureStrategy: "ReplacedStrategy",
  patchFeatureStrategy: "PatchedStrategy",
  deleteFeatureStrategy: "RemovedStrategy",
  toggleFeatureOn: "SwitchedFeature",
  toggleFeatureOff: "SwitchedFeature",
  toggleFeatureEnvironmentOn: "SwitchedFeature",
  toggleFeatureEnvironmentOff: "SwitchedFeature",
  listFeatureChanges: "Changes",
  undoFeatureChange: "PatchedVariants",
  listEnvironmentChanges: "Changes",
  undoEnvironmentChange: "PatchedVariants",
  tripGuard: "TrippedGuard",
  getClientFeatures: "ClientFeatures",
  getFlagdDocument: "FlagdDocument",
} as const satisfies Record<OperationId, SuccessName | readonly SuccessName[]>;

/** The responses that operations share: errors, and that nothing was modified. */
export const sharedResponses = {
  NotModified: sharedBy(reads, "listTags", { "Not modified": { headers: { "if-none-match": "*" } } }),
  ValidationError: sharedBy(every, "patchFeatureVariants", {
    "Invalid body": { body: invalid },
    "Stopped in production": { body: replaceSecond },
    "Strict: written nowhere": { body: replaceSecond, headers: { prefer: "handling=strict" } },
  }),
  AuthenticationRequired: sharedBy(every, "listTags", {
    "No valid key": { headers: { authorization: "unknown" } },
  }),
  NoAccessError: sharedBy(every, "patchFeatureVariants", {
    "No permission in an environment": { body: replace, permissions: oneEnvironmentOnly },
  }),
  NotFoundError: sharedBy(every, "listTags", { "No such feature": { path: { featureName: "nothing" } } }),
  ConflictError: sharedBy(writes, "patchFeatureVariants", {
    "Idempotency-Key used before": { before: patched, body: add, ...idempotent },
  }),
  PreconditionFailed: sharedBy(writes, "patchFeatureVariants", {
    "Changed by another request": { body: replace, headers: { "if-match": '"another"' } },
  }),
  PayloadTooLarge: sharedBy(writes, "updateTags", {
    "Too large": { body: " ".repeat(limits.bodyBytes + 1) },
  }),
  ContentTypeError: sharedBy(writes, "patchFeatureVariants", {
    "Wrong Content-Type": { headers: { "content-type": "text/plain" } },
    "Content-Encoding": { at: "updateTags", headers: { "content-encoding": "gzip" } },
  }),
  InternalError: sharedBy(every, "listTags", { "Internal error": { remainingMs: fail } }),
  TemporarilyUnavailable: sharedBy(every, "listTags", {
    "Database out of reach": { remainingMs: () => 0 },
  }),
};
