/** Parameters of the document: those in the path, and one for each option of a route. */
import { limits } from "../../lib/contract/limits.ts";
import type { OptionName } from "../../lib/http/options.ts";
import { type RouteFacts, usualPath } from "./record.ts";
import type { Reference } from "./schemas.ts";

const ofOptions: Record<OptionName | "ifNoneMatch", object> = {
  dryRun: {
    ...{ name: "dryRun", in: "query", schema: { type: "boolean", default: false } },
    description: "With `true` nothing is written: the response shows what the request would do.",
    // The reference page fills it in, so that a first click there does not write.
    example: true,
  },
  by: {
    ...{ name: "by", in: "query", schema: { type: "string", enum: ["index", "name"], default: "index" } },
    description: "Whether the variants are a list (`index`) or an object keyed by name (`name`).",
  },
  strict: header(
    "Prefer",
    "With `handling=strict` (RFC 7240) a dry run of a patch that would fail has the status and the body of that failure. Other preferences are ignored.",
  ),
  precondition: header(
    "If-Match",
    'ETags in quotes, as in `"RalOL-DCObJHdGvp"`, or `*`. If none of them is the current ETag, nothing is written.',
  ),
  idempotencyKey: header(
    "Idempotency-Key",
    "Identifies the request, for example a random UUID. Send the same one when you retry the request.",
    { minLength: 1, maxLength: limits.idempotencyKeyLength, pattern: "^[!-~]+$" },
  ),
  ifNoneMatch: header(
    "If-None-Match",
    "ETags of earlier responses, or `*`. If the current ETag is among them, the response is a 304 without a body.",
  ),
};

export const parameters = {
  projectId: inPath("projectId", "The id of the project."),
  featureName: inPath("featureName", "The name of the feature; case-sensitive."),
  environment: inPath("environment", "The name of the environment; case-sensitive."),
  ...ofOptions,
};

export function parametersOf({ method, path, options = [] }: RouteFacts): Reference[] {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
  const names = [...inPath, ...options, ...(method === "GET" ? ["ifNoneMatch"] : [])];
  return names.map((name) => ({ $ref: `#/components/parameters/${name}` }));
}

function inPath(name: keyof typeof usualPath, description: string) {
  const schema = { type: "string", minLength: 1 };
  return { name, in: "path", required: true, description, schema, example: usualPath[name] };
}

/** Without an example: the reference page would send it along. */
function header(name: string, description: string, schema: object = {}) {
  return { name, in: "header", description, schema: { type: "string", ...schema } };
}
