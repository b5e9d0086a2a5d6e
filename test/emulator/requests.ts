/** Requests for the state of infra/demo.json, and the parts of a response that do not depend on where a function runs. */
import type { Response } from "../support/burgee.ts";
import { add, replace } from "../support/patching.ts";

interface Call {
  method: string;
  path: string;
  headers?: Record<string, string>;
  body?: string;
}

const demoKey = "burgee-demo-key-for-this-machine";
const variants = "/api/admin/projects/default/features/checkout/variants";
const inProduction = "/api/admin/projects/default/features/checkout/environments/production/variants";

export const putTag = (value: string): Call => ({
  method: "PUT",
  path: "/api/admin/features/checkout/tags",
  body: JSON.stringify({ addedTags: [{ type: "simple", value }], removedTags: [] }),
});

const patch = (operations: unknown, contentType = "application/json"): Call => ({
  method: "PATCH",
  path: variants,
  headers: { "content-type": contentType },
  body: JSON.stringify(operations),
});

const tag = putTag("team-b");
const stickiness = patch([replace("/0/stickiness", "userId")]);
const retried = { ...stickiness, path: inProduction, headers: { "idempotency-key": "emulated" } };

/** In order, as some depend on what others stored. */
export const everyKind: [what: string, status: number, call: Call][] = [
  ["a tag update", 201, tag],
  ["a patch", 200, patch([add("/-", { name: "red", weight: 0 })])],
  // The gateway encodes it in base64.
  [
    "a JSON Patch with its own media type",
    200,
    patch([replace("/0/stickiness", "Häfen ⚓")], "application/json-patch+json; charset=utf-8"),
  ],
  ["a patch that stops halfway", 400, patch([replace("/2/stickiness", "userId")])],
  ["a read of tags", 200, { method: "GET", path: tag.path }],
  ["a read of one environment", 200, { method: "GET", path: inProduction }],
  ["a patch of one environment", 200, retried],
  ["a retry", 200, retried],
  ["a dry run", 200, { ...stickiness, path: `${variants}?dryRun=true` }],
  ["a list of features", 200, { method: "GET", path: "/api/admin/projects/default/features?limit=1" }],
  // The function compresses it, and encodes it in base64 for the gateway.
  ["a document", 200, { method: "GET", path: "/api/projects/default/environments/production/flagd.json" }],
  ["no body", 400, { ...tag, body: "" }],
  ["an unknown key", 401, { ...tag, headers: { authorization: "unknown-key" } }],
  ["an unknown feature", 404, { ...tag, path: "/api/admin/features/bl%C3%BC%20/tags" }],
  ["a path without a route", 404, { ...tag, path: "/api/admin/features" }],
  ["another method", 405, { ...stickiness, method: "DELETE" }],
  ["a body that is too large", 413, putTag("t".repeat(300_000))],
];

/** Headers of a connection or a request, or that only some servers add. */
const passing = /^(connection|keep-alive|date|content-length|transfer-encoding|apigw-requestid)$/;
/** New in each response, or for each write. */
const generated = /^(id|etag|burgee-change)$/;

/** Uses the demo's key and JSON, unless the call overrides them. */
export async function call(base: string, { method, path, headers: given, body }: Call): Promise<Response> {
  const headers = { authorization: demoKey, "content-type": "application/json", ...given };
  const response = await fetch(`${base}${path}`, { method, headers, ...(body !== undefined && { body }) });
  const kept = [...response.headers].filter(([name]) => !passing.test(name));
  return {
    status: response.status,
    headers: Object.fromEntries(kept.map(blankGenerated)) as Record<string, string>,
    json: Object.fromEntries(Object.entries((await response.json()) as object).map(blankGenerated)),
  };
}

function blankGenerated([name, value]: [name: string, value: unknown]): [string, unknown] {
  return [name, generated.test(name) ? String(value).replaceAll(/[\w-]/g, "0") : value];
}
