/** What the reference says of a route, and the requests whose responses it shows. */
import { limits } from "../../lib/contract/limits.ts";
import type { Case, RouteFacts } from "./record.ts";
import type { SchemaName } from "./schemas.ts";

export interface Operation {
  id: string;
  summary: string;
  /** Paragraphs. */
  description: readonly string[];
  /** Of a response; with several, it has exactly one of them. */
  schemas: readonly SchemaName[];
  /** The body of requests that do not have one of their own. */
  json?: unknown;
  cases: Cases;
}

/** By the status that is expected, then by what the example is called. */
export type Cases = Readonly<Record<number, Readonly<Record<string, Case>>>>;

export function casesOf(
  route: RouteFacts,
  { cases, json }: Operation,
): [status: string, name: string, Case][] {
  return [commonCases(route), route.body ? casesOfWrites(route) : casesOfReads, cases].flatMap((byStatus) =>
    Object.entries(byStatus).flatMap(([status, byName]) =>
      Object.entries(byName).map(([name, request]): [string, string, Case] => [
        ...([status, name] as const),
        { ...(request.body === undefined && { json }), ...request },
      ]),
    ),
  );
}

function commonCases({ path, options = [] }: RouteFacts): Cases {
  return {
    400: {
      "Malformed path": { path: { featureName: "100%" } },
      ...(options.includes("by") && { "Unknown form": { query: "by=id" } }),
    },
    401: { "No valid key": { headers: { authorization: "unknown" } } },
    403: { "No permission": { permissions: [{ permission: "ADMIN", project: "other" }] } },
    404: {
      "No such feature": { path: { featureName: "nothing" } },
      ...(path.includes("{environment}") && { "No such environment": { path: { environment: "staging" } } }),
    },
    405: { "Wrong method": { method: "DELETE" } },
    500: { "Internal error": { failures: { errors: ["AccessDeniedException"] } } },
    503: { "Database out of reach": { failures: { errors: ["ThrottlingException"], remainingMs: 500 } } },
  };
}

const casesOfReads: Cases = { 304: { "Not modified": { headers: { "if-none-match": "*" } } } };

function casesOfWrites({ options = [] }: RouteFacts): Cases {
  return {
    400: {
      "Neither true nor false": { query: "dryRun=yes" },
      "Misspelt parameter": { query: "dry-run=true" },
      "Not an ETag": { headers: { "if-match": "abc" } },
      ...(options.includes("idempotencyKey") && {
        "Invalid Idempotency-Key": { headers: { "idempotency-key": "two words" } },
      }),
    },
    412: { "Changed by another request": { headers: { "if-match": '"another"' } } },
    413: { "Too large": { body: " ".repeat(limits.bodyBytes + 1) } },
    415: {
      "Wrong Content-Type": { headers: { "content-type": "text/plain" } },
      "Content-Encoding": { headers: { "content-encoding": "gzip" } },
    },
  };
}
