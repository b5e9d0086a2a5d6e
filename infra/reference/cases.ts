/** The responses of the document, by their names in it, and the requests that they are recorded from. */
import type { Permission } from "../../lib/access/permissions.ts";
import { limits } from "../../lib/contract/limits.ts";
import type { Route } from "../../lib/http/route.ts";
import type { pathValues } from "./parameters.ts";

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
  /** Sent first. */
  before?: Case;
  /** The operation that it is sent to; that of its response when absent. */
  at?: string;
  /** The time that the invocation has left. */
  remainingMs?: () => number;
}

export type Cases = Readonly<Record<string, Case>>;

/** The examples are recorded at the operation; `isOf` says which routes have the response. Cases are named as examples. */
function recordedAt(operation: string, isOf: (route: Route<never>) => boolean, cases: Cases) {
  return { operation, isOf, cases };
}

const every = () => true;
const reads = ({ method }: Route<never>) => method === "GET";
const writes = ({ method }: Route<never>) => method !== "GET";
const at = (method: string, end: string) => (route: Route<never>) =>
  route.method === method && route.path.endsWith(end);

const isSwitch = ({ path }: Route<never>) => /\/(on|off)$/.test(path);
const isOfEnvironment = (route: Route<never>) =>
  route.method === "PATCH" && /\/(\{featureName\}|\{environment\})$/.test(route.path);
const isCreation = ({ method, path }: Route<never>) =>
  method === "POST" && /\/(\{projectId\}\/features|restore)$/.test(path);
const isTrip = at("POST", "/trip");
const isOfStrategy = (route: Route<never>) =>
  ["POST", "PUT", "PATCH"].includes(route.method) && /\/strategies(\/|$)/.test(route.path);

const tag = (value: string) => ({ type: "simple", value });
const update = { addedTags: [tag("team-b")], removedTags: [tag("team-a")] };

const replace = [{ op: "replace", path: "/0/stickiness", value: "userId" }];
const add = [{ op: "add", path: "/-", value: { name: "red", weight: 0 } }];
const addWeighted = [{ op: "add", path: "/-", value: { name: "red", weight: 250 } }];
const addByName = [{ op: "add", path: "/red", value: { weight: 0 } }];
const rename = [{ op: "move", from: "/blue", path: "/azure" }];
/** Production has one variant only, `blue`. */
const replaceSecond = [{ op: "replace", path: "/1/stickiness", value: "userId" }];
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

export const sharedResponses: Readonly<Record<string, ReturnType<typeof recordedAt>>> = {
  Feature: recordedAt("getFeature", at("GET", "/{featureName}"), {
    "With its variants": {},
    "By name": { query: "by=name" },
  }),
  CreatedFeature: recordedAt("createFeature", isCreation, {
    "A new feature": { body: { name: "search-as-you-type", type: "release" } },
    "A restored feature": { at: "restoreFeature", before: { at: "archiveFeature" } },
  }),
  DeletedFeature: recordedAt("archiveFeature", at("DELETE", "/{featureName}"), { Deleted: {} }),
  SwitchedFeature: recordedAt("toggleFeatureOff", isSwitch, {
    "Off everywhere": {},
    "Dry run": { query: "dryRun=true" },
    "Dry run with a key that may only read": { query: "dryRun=true", permissions: toRead },
  }),
  Tags: recordedAt("listTags", at("GET", "/tags"), { "Current tags": {} }),
  TagsPreview: recordedAt("updateTags", at("PUT", "/tags"), {
    "Dry run": { body: update, query: "dryRun=true" },
    "Dry run with a key that may only read": { body: update, query: "dryRun=true", permissions: toRead },
  }),
  UpdatedTags: recordedAt("updateTags", at("PUT", "/tags"), {
    "Add one tag, remove another": { body: update },
  }),
  Variants: recordedAt("getFeatureVariants", at("GET", "/variants"), {
    "Current variants": {},
    "By name": { query: "by=name" },
  }),
  PatchedVariants: recordedAt(
    "patchFeatureVariants",
    (route) =>
      ["PATCH", "POST"].includes(route.method) &&
      route.path.includes("{featureName}") &&
      ![isSwitch, isOfEnvironment, isOfStrategy, isCreation, isTrip].some((one) => one(route)),
    {
      "Change a field of the first variant": { body: replace },
      "By name: add a variant": { body: addByName, query: "by=name" },
      "Strict dry run": { body: addWeighted, query: "dryRun=true", headers: { prefer: "handling=strict" } },
      "By name: dry run of a rename": { body: rename, query: "by=name&dryRun=true" },
      "Dry run with a key that may only read": { body: add, query: "dryRun=true", permissions: toRead },
      "A weight without effect": { body: addWeighted },
      "Undo of the first": { at: "undoFeatureChange", before: patched },
    },
  ),
  PatchedFeature: recordedAt("patchFeature", isOfEnvironment, {
    "Add a rollout to a quarter of the users": { body: addStrategy },
    "Dry run": { body: addStrategy, query: "dryRun=true" },
  }),
  PatchedStrategy: recordedAt("patchFeatureStrategy", at("PATCH", "/{strategyId}"), {
    "To half of the users": { before: withStrategy, body: toHalf },
    "Dry run": { before: withStrategy, body: toHalf, query: "dryRun=true" },
  }),
  TrippedGuard: recordedAt("tripGuard", isTrip, {
    "Undo what is under the guard": { before: guarded },
    "Dry run": { before: guarded, query: "dryRun=true" },
    "Dry run with a key that lacks the permission": {
      before: guarded,
      query: "dryRun=true",
      permissions: [{ permission: "UPDATE_FEATURE_ENVIRONMENT_VARIANTS" }],
    },
  }),
  AddedStrategy: recordedAt("addFeatureStrategy", at("POST", "/strategies"), {
    "A quarter of the users": { body: { id: "quarter", ...strategy } },
    "Dry run": { body: { id: "quarter", ...strategy }, query: "dryRun=true" },
  }),
  ReplacedStrategy: recordedAt("updateFeatureStrategy", at("PUT", "/{strategyId}"), {
    "To half of the users": {
      before: withStrategy,
      body: { ...strategy, parameters: { ...strategy.parameters, rollout: "50" } },
    },
    "Dry run": { before: withStrategy, body: strategy, query: "dryRun=true" },
  }),
  RemovedStrategy: recordedAt("deleteFeatureStrategy", at("DELETE", "/{strategyId}"), {
    Removed: { before: withStrategy },
  }),
  Strategy: recordedAt("getFeatureStrategy", at("GET", "/{strategyId}"), {
    "Current strategy": { before: withStrategy },
  }),
  Environment: recordedAt("getFeatureEnvironment", at("GET", "/{environment}"), {
    "All that it has": { before: withStrategy },
  }),
  Strategies: recordedAt("getFeatureStrategies", at("GET", "/strategies"), {
    "Current strategies": { before: withStrategy },
  }),
  Changes: recordedAt("listFeatureChanges", at("GET", "/changes"), { "After a patch": { before: patched } }),
  Projects: recordedAt("listProjects", at("GET", "/projects"), { "Projects of a key": {} }),
  Features: recordedAt("listFeatures", at("GET", "/{projectId}/features"), {
    "All features": {},
    "One page": { query: "limit=1" },
    "With their environments": { query: "with=environments" },
    "With their environments, by name": { query: "with=environments&by=name" },
  }),
  ClientFeatures: recordedAt("getClientFeatures", at("GET", "/client/features"), {
    "For Unleash's SDKs": {},
    "Of variants with several stickinesses": { before: patched },
  }),
  FlagdDocument: recordedAt("getFlagdDocument", at("GET", "/flagd.json"), {
    "For flagd": {},
    "Of variants with several stickinesses": { before: patched },
  }),
  NotModified: recordedAt("listTags", reads, { "Not modified": { headers: { "if-none-match": "*" } } }),
  ValidationError: recordedAt("patchFeatureVariants", every, {
    "Invalid body": { body: invalid },
    "Stopped in production": { body: replaceSecond },
    "Strict: written nowhere": { body: replaceSecond, headers: { prefer: "handling=strict" } },
  }),
  AuthenticationRequired: recordedAt("listTags", every, {
    "No valid key": { headers: { authorization: "unknown" } },
  }),
  NoAccessError: recordedAt("patchFeatureVariants", every, {
    "No permission in an environment": { body: replace, permissions: oneEnvironmentOnly },
  }),
  NotFoundError: recordedAt("listTags", every, { "No such feature": { path: { featureName: "nothing" } } }),
  ConflictError: recordedAt("patchFeatureVariants", writes, {
    "Idempotency-Key used before": { before: patched, body: add, ...idempotent },
  }),
  PreconditionFailed: recordedAt("patchFeatureVariants", writes, {
    "Changed by another request": { body: replace, headers: { "if-match": '"another"' } },
  }),
  PayloadTooLarge: recordedAt("updateTags", writes, {
    "Too large": { body: " ".repeat(limits.bodyBytes + 1) },
  }),
  ContentTypeError: recordedAt("patchFeatureVariants", writes, {
    "Wrong Content-Type": { headers: { "content-type": "text/plain" } },
    "Content-Encoding": { at: "updateTags", headers: { "content-encoding": "gzip" } },
  }),
  InternalError: recordedAt("listTags", every, { "Internal error": { remainingMs: fail } }),
  TemporarilyUnavailable: recordedAt("listTags", every, {
    "Database out of reach": { remainingMs: () => 0 },
  }),
};
