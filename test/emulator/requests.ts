/** Requests for the state of infra/demo.json. */
import { add, replace } from "../support/patching.ts";
import type { Call } from "./call.ts";

const variants = "/api/admin/projects/default/features/checkout/variants";

export const putTag = (value: string): Call => ({
  method: "PUT",
  path: "/api/admin/features/checkout/tags",
  body: JSON.stringify({ addedTags: [{ type: "simple", value }], removedTags: [] }),
});

export const patch = (operations: unknown, contentType = "application/json"): Call => ({
  method: "PATCH",
  path: variants,
  headers: { "content-type": contentType },
  body: JSON.stringify(operations),
});

const inProduction = "/api/admin/projects/default/features/checkout/environments/production/variants";
const get = (path: string): Call => ({ method: "GET", path });
const tag = putTag("team-b");

interface Expected extends Call {
  what: string;
  status: number;
}

/** In order, as some depend on what others stored. */
export const everyKind: Expected[] = [
  { what: "a tag update", status: 201, ...tag },
  { what: "a patch", status: 200, ...patch([add("/-", { name: "red", weight: 0 })]) },
  {
    // The gateway encodes it in base64.
    what: "a JSON Patch with its own media type",
    status: 200,
    ...patch([replace("/0/stickiness", "Häfen ⚓")], "application/json-patch+json; charset=utf-8"),
  },
  { what: "a patch that stops halfway", status: 400, ...patch([replace("/2/stickiness", "userId")]) },
  { what: "a read of tags", status: 200, ...get(tag.path) },
  { what: "a read of variants", status: 200, ...get(variants) },
  { what: "a read of one environment", status: 200, ...get(inProduction) },
  {
    what: "a patch of one environment",
    status: 200,
    ...patch([replace("/0/stickiness", "userId")]),
    path: inProduction,
    headers: { "idempotency-key": "emulated" },
  },
  {
    what: "a retry",
    status: 200,
    ...patch([replace("/0/stickiness", "userId")]),
    path: inProduction,
    headers: { "idempotency-key": "emulated" },
  },
  {
    what: "a dry run",
    status: 200,
    ...patch([replace("/0/stickiness", "default")]),
    path: `${variants}?dryRun=true`,
  },
  {
    what: "a precondition that fails",
    status: 412,
    ...patch([]),
    headers: { "if-match": '"other"' },
  },
  { what: "a body that is not JSON", status: 400, ...tag, body: "{" },
  { what: "no body", status: 400, ...tag, body: "" },
  { what: "no key", status: 401, ...tag, headers: { authorization: undefined } },
  { what: "an unknown key", status: 401, ...tag, headers: { authorization: "nobody" } },
  { what: "an unknown feature", status: 404, ...tag, path: "/api/admin/features/bl%C3%BC%20/tags" },
  { what: "a path without a route", status: 404, ...tag, path: "/api/admin/features" },
  { what: "another method", status: 405, ...patch([]), method: "DELETE" },
  { what: "a body that is too large", status: 413, ...putTag("t".repeat(300_000)) },
  { what: "another media type", status: 415, ...patch([], "text/plain") },
];
