/** The requests whose responses the document shows, by the names of the examples. */
import { limits } from "../../lib/contract/limits.ts";
import type { Permit } from "../../lib/contract/permissions.ts";
import type { Route } from "../../lib/http/route.ts";
import type { pathValues } from "./parameters.ts";

/** A request to a service that has the demo's state. */
export interface Case {
  /** If it is not the route's. */
  method?: string;
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
  /** The database's error for every call; or for each write in turn, the last for all that follow. */
  failures?: string | readonly (string | undefined)[];
}

type Cases = Readonly<Record<string, Case>>;

export function casesOf({ path, body, query = [] }: Route<never>): [name: string, Case][] {
  const isOfVariants = query.includes("by");
  const isInEnvironment = path.includes("{environment}");
  const cases: Cases = {
    ...common,
    ...(isOfVariants && { "Unknown form": { query: "by=id" } }),
    ...(isInEnvironment && { "No such environment": { path: { environment: "staging" } } }),
    ...(body ? { ...writes, ...(isOfVariants ? patches : tagUpdates) } : reads),
    ...(isOfVariants && !body && { "By name": { query: "by=name" } }),
    ...(isOfVariants && body && !isInEnvironment && halfway),
  };
  const usualBody = body && (isOfVariants ? replace : update);
  return Object.entries(cases).map(([name, request]) => [name, { body: usualBody, ...request }]);
}

const common: Cases = {
  "Malformed path": { path: { featureName: "100%" } },
  "No valid key": { headers: { authorization: "unknown" } },
  "No permission": { permissions: [{ permission: "ADMIN", project: "other" }] },
  "No such feature": { path: { featureName: "nothing" } },
  "Wrong method": { method: "DELETE" },
  "Internal error": { failures: "AccessDeniedException" },
  "Database out of reach": { failures: "ThrottlingException" },
};

const reads: Cases = { "Current state": {}, "Not modified": { headers: { "if-none-match": "*" } } };

const writes: Cases = {
  "Neither true nor false": { query: "dryRun=yes" },
  "Misspelt parameter": { query: "dry-run=true" },
  "Not an ETag": { headers: { "if-match": "abc" } },
  "Changed by another request": { headers: { "if-match": '"another"' } },
  "Too large": { body: " ".repeat(limits.bodyBytes + 1) },
  "Wrong Content-Type": { headers: { "content-type": "text/plain" } },
  "Content-Encoding": { headers: { "content-encoding": "gzip" } },
};

const tag = (value: string) => ({ type: "simple", value });
const update = { addedTags: [tag("team-b")], removedTags: [tag("team-a")] };
const conflict = "ConditionalCheckFailedException";
const lostResponse = ["InternalServerError", conflict];

const tagUpdates: Cases = {
  "Dry run": { query: "dryRun=true" },
  "Add one tag, remove another": {},
  "Change nothing": { body: { addedTags: [], removedTags: [] } },
  "Invalid body": { body: { addedTags: [tag("b")] } },
  "Not JSON": { body: "{" },
  "Response of the database lost": { headers: { "if-match": '"0"' }, failures: lostResponse },
};

const replace = [{ op: "replace", path: "/0/stickiness", value: "userId" }];
const add = [{ op: "add", path: "/-", value: { name: "red", weight: 0 } }];
const addByName = [{ op: "add", path: "/red", value: { weight: 0 } }];
const rename = [{ op: "move", from: "/blue", path: "/azure" }];
const invalid = [
  { op: "test", path: "/0/weight", value: 500 },
  { op: "move", path: "/0/stickiness" },
  { op: "remove", path: "/0/constructor" },
];
const strict = { query: "dryRun=true", headers: { prefer: "handling=strict" } };
const idempotent = { headers: { "idempotency-key": "b4e0a9b2" } };

const patches: Cases = {
  "Change a field of the first variant": {},
  "Add a variant": { body: add, headers: { "content-type": "application/json-patch+json" } },
  "Change nothing": { body: [] },
  "By name: add a variant": { body: addByName, query: "by=name" },
  "By name: dry run of a rename": { body: rename, query: "by=name&dryRun=true" },
  "Dry run": { body: add, query: "dryRun=true" },
  "Strict dry run": { body: add, ...strict },
  "Invalid Idempotency-Key": { headers: { "idempotency-key": "two words" } },
  "Invalid body": { body: invalid },
  "Index out of range": { body: [{ op: "remove", path: "/2" }] },
  "By name: no such variant": { body: [{ op: "remove", path: "/red" }], query: "by=name" },
  "Write conflicts": { failures: [conflict] },
  "Idempotency-Key used before": { before: { body: replace, ...idempotent }, body: add, ...idempotent },
};

/** Production has one variant only, `blue`. */
const replaceSecond = [{ op: "replace", path: "/1/stickiness", value: "userId" }];

const halfway: Cases = {
  "Dry run: would stop in production": { body: replaceSecond, query: "dryRun=true" },
  "Stopped in production": { body: replaceSecond },
  "By name: stopped in production": { body: [{ op: "remove", path: "/green" }], query: "by=name" },
  "Strict dry run that fails": { body: replaceSecond, ...strict },
  "No permission in an environment": {
    permissions: [
      { permission: "UPDATE_FEATURE_VARIANTS" },
      { permission: "UPDATE_FEATURE_ENVIRONMENT_VARIANTS", environment: "development" },
    ],
  },
  "Write conflicts in production": { failures: [undefined, conflict] },
};
