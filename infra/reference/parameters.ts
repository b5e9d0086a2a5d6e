/** What a request has beside its body. None that may be left out has an example: the page would send it along. */
import { limits } from "../../lib/contract/limits.ts";
import type { Reference } from "./schemas.ts";

export const parameters = {
  projectId: inPath("projectId", "The id of the project.", "default"),
  featureName: inPath("featureName", "The name of the feature; case counts.", "checkout"),
  environment: inPath("environment", "The name of the environment; case counts.", "development"),
  dryRun: {
    name: "dryRun",
    in: "query",
    description: "With `true` nothing is written: the answer tells what would be.",
    schema: { type: "boolean", default: false },
  },
  ifMatch: header(
    "If-Match",
    'Entity tags in quotes, as in `"RalOL-DCObJHdGvp"`, or `*`. Unless one of them is the current one, nothing is written.',
  ),
  idempotencyKey: header(
    "Idempotency-Key",
    "A text that is new for each request and the same when that request is sent again; a random UUID will do.",
    { minLength: 1, maxLength: limits.idempotencyKeyLength, pattern: "^[!-~]+$" },
  ),
  ifNoneMatch: header(
    "If-None-Match",
    "The entity tags of answers that the caller has. If one of them is the current one, the answer is 304 and has no body.",
  ),
};

export function parametersOf(...names: (keyof typeof parameters)[]): Reference[] {
  return names.map((name) => ({ $ref: `#/components/parameters/${name}` }));
}

function inPath(name: string, description: string, example: string) {
  return { name, in: "path", required: true, description, schema: { type: "string", minLength: 1 }, example };
}

function header(name: string, description: string, schema: object = {}) {
  return { name, in: "header", description, schema: { type: "string", ...schema } };
}
