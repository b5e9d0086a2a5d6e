/** Draws valid and nearly valid requests for each route, and some for no route. */
import fc from "fast-check";
import { type Body, type BodyKind, bodyFor } from "./bodies.ts";
import { headers } from "./headers.ts";
import { byNamePath, environmentPath, strayPath, tagsPath, variantsPath } from "./paths.ts";

export interface Request {
  method: string;
  /** Percent-encoded, with the query. */
  path: string;
  headers: Record<string, string>;
  body: Body;
}

const otherMethods = ["HEAD", "POST", "DELETE", "OPTIONS", "TRACE", "PROPFIND", "PATCH", "PUT", "GET"];

function requests(path: fc.Arbitrary<string>, kind: BodyKind): fc.Arbitrary<Request> {
  const method = fc.oneof(
    { weight: 12, arbitrary: fc.constant(kind === "tags" ? "PUT" : "PATCH") },
    { weight: 4, arbitrary: fc.constant("GET") },
    { weight: 1, arbitrary: fc.constantFrom(...otherMethods) },
  );
  return fc.record({ method, path, headers, body: bodyFor(kind) }).map(withoutBodyOnGet);
}

/** Mostly removes the body of a GET, which few clients send. */
function withoutBodyOnGet(request: Request): Request {
  const isKept = request.method !== "GET" || request.headers["content-type"] === "text/plain";
  return isKept ? request : { ...request, body: "" };
}

export const request: fc.Arbitrary<Request> = fc.oneof(
  { weight: 8, arbitrary: requests(tagsPath, "tags") },
  { weight: 10, arbitrary: requests(variantsPath, "variants") },
  { weight: 8, arbitrary: requests(environmentPath, "variants") },
  { weight: 8, arbitrary: requests(byNamePath, "variants by name") },
  { weight: 1, arbitrary: requests(strayPath, "tags") },
);
