/** The responses of the document, by their names in it, and the requests that they are recorded from. */
import { limits } from "../../lib/contract/limits.ts";
import type { Permit } from "../../lib/contract/permissions.ts";
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
  /** Of the API key; ADMIN when absent. */
  permissions?: Permit[];
  /** Sent first. */
  before?: Case;
  /** The time that the invocation has left. */
  remainingMs?: () => number;
}

export type Cases = Readonly<Record<string, Case>>;

export interface SharedResponse {
  /** The id of the operation that its examples are recorded at. */
  at: string;
  /** Whether the operation of this route has it. */
  isOf(route: Route<never>): boolean;
  /** By the names of the examples. */
  cases: Cases;
}

const every = () => true;
const reads = ({ method }: Route<never>) => method === "GET";
const writes = ({ method }: Route<never>) => method !== "GET";
const at = (method: string, end: string) => (route: Route<never>) =>
  route.method === method && route.path.endsWith(end);

const tag = (value: string) => ({ type: "simple", value });
const update = { addedTags: [tag("team-b")], removedTags: [tag("team-a")] };

const replace = [{ op: "replace", path: "/0/stickiness", value: "userId" }];
const add = [{ op: "add", path: "/-", value: { name: "red", weight: 0 } }];
const addByName = [{ op: "add", path: "/red", value: { weight: 0 } }];
const rename = [{ op: "move", from: "/blue", path: "/azure" }];
/** Production has one variant only, `blue`. */
const replaceSecond = [{ op: "replace", path: "/1/stickiness", value: "userId" }];
const invalid = [
  { op: "test", path: "/0/weight", value: 500 },
  { op: "remove", path: "/0/constructor" },
];

const idempotent = { headers: { "idempotency-key": "b4e0a9b2" } };
const oneEnvironmentOnly: Permit[] = [
  { permission: "UPDATE_FEATURE_VARIANTS" },
  { permission: "UPDATE_FEATURE_ENVIRONMENT_VARIANTS", environment: "development" },
];

export const sharedResponses: Readonly<Record<string, SharedResponse>> = {
  Tags: { at: "listTags", isOf: at("GET", "/tags"), cases: { "Current tags": {} } },
  TagsPreview: {
    at: "updateTags",
    isOf: at("PUT", "/tags"),
    cases: { "Dry run": { body: update, query: "dryRun=true" } },
  },
  UpdatedTags: {
    at: "updateTags",
    isOf: at("PUT", "/tags"),
    cases: { "Add one tag, remove another": { body: update } },
  },
  Variants: {
    at: "getFeatureVariants",
    isOf: at("GET", "/variants"),
    cases: { "Current variants": {}, "By name": { query: "by=name" } },
  },
  PatchedVariants: {
    at: "patchFeatureVariants",
    isOf: at("PATCH", "/variants"),
    cases: {
      "Change a field of the first variant": { body: replace },
      "By name: add a variant": { body: addByName, query: "by=name" },
      "Strict dry run": { body: add, query: "dryRun=true", headers: { prefer: "handling=strict" } },
      "By name: dry run of a rename": { body: rename, query: "by=name&dryRun=true" },
    },
  },
  NotModified: {
    at: "listTags",
    isOf: reads,
    cases: { "Not modified": { headers: { "if-none-match": "*" } } },
  },
  ValidationError: {
    at: "patchFeatureVariants",
    isOf: every,
    cases: { "Invalid body": { body: invalid }, "Stopped in production": { body: replaceSecond } },
  },
  AuthenticationRequired: {
    at: "listTags",
    isOf: every,
    cases: { "No valid key": { headers: { authorization: "unknown" } } },
  },
  NoAccessError: {
    at: "patchFeatureVariants",
    isOf: every,
    cases: { "No permission in an environment": { body: replace, permissions: oneEnvironmentOnly } },
  },
  NotFoundError: {
    at: "listTags",
    isOf: every,
    cases: { "No such feature": { path: { featureName: "nothing" } } },
  },
  ConflictError: {
    at: "patchFeatureVariants",
    isOf: writes,
    cases: {
      "Idempotency-Key used before": {
        before: { body: replace, ...idempotent },
        body: add,
        ...idempotent,
      },
    },
  },
  PreconditionFailed: {
    at: "patchFeatureVariants",
    isOf: writes,
    cases: { "Changed by another request": { body: replace, headers: { "if-match": '"another"' } } },
  },
  PayloadTooLarge: {
    at: "updateTags",
    isOf: writes,
    cases: { "Too large": { body: " ".repeat(limits.bodyBytes + 1) } },
  },
  ContentTypeError: {
    at: "patchFeatureVariants",
    isOf: writes,
    cases: {
      "Wrong Content-Type": { headers: { "content-type": "text/plain" } },
      "Content-Encoding": { headers: { "content-encoding": "gzip" } },
    },
  },
  InternalError: {
    at: "listTags",
    isOf: every,
    cases: {
      "Internal error": {
        remainingMs() {
          throw new Error("recorded");
        },
      },
    },
  },
  TemporarilyUnavailable: {
    at: "listTags",
    isOf: every,
    cases: { "Database out of reach": { remainingMs: () => 0 } },
  },
};
