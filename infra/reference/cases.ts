/** The responses of the document, by their names in it, and the requests that they are recorded from. */

import type { Permit } from "../../lib/access/permissions.ts";
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
  /** Of the API key; ADMIN when absent. */
  permissions?: Permit[];
  /** Sent first. */
  before?: Case;
  /** The operation that it is sent to; that of its response when absent. */
  at?: string;
  /** The time that the invocation has left. */
  remainingMs?: () => number;
}

export type Cases = Readonly<Record<string, Case>>;

/** The operation that its examples are recorded at, whether a route has it, and the requests by the names of the examples. */
type SharedResponse = readonly [at: string, isOf: (route: Route<never>) => boolean, cases: Cases];

const every = () => true;
const reads = ({ method }: Route<never>) => method === "GET";
const writes = ({ method }: Route<never>) => method !== "GET";
const at = (method: string, end: string) => (route: Route<never>) =>
  route.method === method && route.path.endsWith(end);

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

const idempotent = { headers: { "idempotency-key": "b4e0a9b2" } };
const patched: Case = { at: "patchFeatureVariants", body: replace, ...idempotent };
const oneEnvironmentOnly: Permit[] = [
  { permission: "UPDATE_FEATURE_VARIANTS" },
  { permission: "UPDATE_FEATURE_ENVIRONMENT_VARIANTS", environment: "development" },
];

function fail(): never {
  throw new Error("recorded");
}

export const sharedResponses: Readonly<Record<string, SharedResponse>> = {
  Tags: ["listTags", at("GET", "/tags"), { "Current tags": {} }],
  TagsPreview: ["updateTags", at("PUT", "/tags"), { "Dry run": { body: update, query: "dryRun=true" } }],
  UpdatedTags: ["updateTags", at("PUT", "/tags"), { "Add one tag, remove another": { body: update } }],
  Variants: [
    "getFeatureVariants",
    at("GET", "/variants"),
    { "Current variants": {}, "By name": { query: "by=name" } },
  ],
  PatchedVariants: [
    "patchFeatureVariants",
    ({ method }) => method === "PATCH" || method === "POST",
    {
      "Change a field of the first variant": { body: replace },
      "By name: add a variant": { body: addByName, query: "by=name" },
      "Strict dry run": { body: addWeighted, query: "dryRun=true", headers: { prefer: "handling=strict" } },
      "By name: dry run of a rename": { body: rename, query: "by=name&dryRun=true" },
      "Undo of the first": { at: "undoFeatureChange", before: patched },
    },
  ],
  Changes: ["listFeatureChanges", at("GET", "/changes"), { "After a patch": { before: patched } }],
  NotModified: ["listTags", reads, { "Not modified": { headers: { "if-none-match": "*" } } }],
  ValidationError: [
    "patchFeatureVariants",
    every,
    { "Invalid body": { body: invalid }, "Stopped in production": { body: replaceSecond } },
  ],
  AuthenticationRequired: ["listTags", every, { "No valid key": { headers: { authorization: "unknown" } } }],
  NoAccessError: [
    "patchFeatureVariants",
    every,
    { "No permission in an environment": { body: replace, permissions: oneEnvironmentOnly } },
  ],
  NotFoundError: ["listTags", every, { "No such feature": { path: { featureName: "nothing" } } }],
  ConflictError: [
    "patchFeatureVariants",
    writes,
    { "Idempotency-Key used before": { before: patched, body: add, ...idempotent } },
  ],
  PreconditionFailed: [
    "patchFeatureVariants",
    writes,
    { "Changed by another request": { body: replace, headers: { "if-match": '"another"' } } },
  ],
  PayloadTooLarge: ["updateTags", writes, { "Too large": { body: " ".repeat(limits.bodyBytes + 1) } }],
  ContentTypeError: [
    "patchFeatureVariants",
    writes,
    {
      "Wrong Content-Type": { headers: { "content-type": "text/plain" } },
      "Content-Encoding": { at: "updateTags", headers: { "content-encoding": "gzip" } },
    },
  ],
  InternalError: ["listTags", every, { "Internal error": { remainingMs: fail } }],
  TemporarilyUnavailable: ["listTags", every, { "Database out of reach": { remainingMs: () => 0 } }],
};
