/** Responses of the document, made of recorded ones. */
import { limits } from "../../lib/contract/limits.ts";
import type { Recorded } from "./record.ts";
import { type Reference, reference, type SchemaName } from "./schemas.ts";

export interface Example {
  /** What a reference page lists. */
  summary: string;
  body: unknown;
}

export interface Content {
  schema: Reference | { anyOf: Reference[] };
  examples: Readonly<Record<string, { summary: string; value: unknown }>>;
}

type Header = Readonly<Record<"description" | "schema" | "required" | "example" | "examples", unknown>>;

export interface Response {
  description: string;
  headers?: Readonly<Record<string, Partial<Header>>>;
  content?: { "application/json": Content };
}

const headers: Readonly<Record<string, string>> = {
  location: "The path of the feature's tags, with its name percent-encoded.",
  etag: "The strong ETag of what is stored: of the tags, of the environment, or of all environments.",
  "burgee-environments": `The outcome of each environment; names are percent-encoded. Absent if the feature has no environment, or if it would be longer than ${limits.outcomesLength} characters.`,
  "preference-applied": "The preference of `Prefer` that was honoured.",
  allow: "The methods of this path.",
  accept: "The media types that a body may have.",
  "accept-patch": "The media types that a patch may have.",
  "accept-encoding": "The content codings that a body may have.",
  "retry-after": "The number of seconds after which to retry the request.",
  "www-authenticate": "An authentication scheme that is accepted.",
};

const statuses: Readonly<Record<number, string>> = {
  200: "The current state, or that after the request; of a dry run, what the request would do.",
  201: "The state after the request.",
  304: "The ETag is still current.",
  400: "The request is invalid, or what the patch makes of the variants.",
  401: "The API key is missing, unknown, disabled or expired; the response is the same for each.",
  403: "The API key lacks the permission that the message names. Nothing was written.",
  404: "The project, the feature or the environment does not exist.",
  405: "The path does not have this method.",
  409: "A conflict with another request, or with an earlier one that had the same idempotency key.",
  412: "The ETag of `If-Match` is no longer current; `etag` is the current one.",
  413: `The body is larger than ${limits.bodyBytes / 1024} KiB.`,
  415: "The media type or the content coding of the body is not supported.",
  500: "An error of the service. The log has its cause, under the `id`.",
  503: "The database throttled the request, or was not reached in time. Retry the request.",
};

/** The response of one status; the schemas are those of a success. */
export function toResponse(
  examples: readonly (Example & Recorded)[],
  schemas: readonly SchemaName[],
): Response {
  const [{ status, body } = { status: 0, body: undefined }] = examples;
  const found = Object.keys(headers).filter((name) => examples.some(({ headers }) => name in headers));
  const content =
    body === undefined ? undefined : toContent(status < 400 ? schemas : ["errorSchema"], examples);
  return {
    description: `${status < 400 ? "" : `\`${Object(body).name}\`. `}${statuses[status]}`,
    ...(found.length > 0 && {
      headers: Object.fromEntries(found.map((name) => [name, toHeader(name, examples)])),
    }),
    ...(content && { content: { "application/json": content } }),
  };
}

/** The linter takes a oneOf of these schemas for overlapping. */
export function toContent(schemas: readonly SchemaName[], examples: readonly Example[]): Content {
  const [schema = { $ref: "" }, ...others] = schemas.map(reference);
  return {
    schema: others.length === 0 ? schema : { anyOf: [schema, ...others] },
    examples: Object.fromEntries(
      examples.map(({ summary, body }) => [toName(summary), { summary, value: body }]),
    ),
  };
}

function toHeader(name: string, examples: readonly (Example & Recorded)[]): Partial<Header> {
  const type = name === "retry-after" ? "integer" : "string";
  const found = examples.flatMap(({ summary, headers }) => {
    const text = headers[name];
    return text === undefined ? [] : [{ summary, value: type === "integer" ? Number(text) : text }];
  });
  const isSame = found.every(({ value }) => value === found[0]?.value);
  const isOptional = name === "burgee-environments" || found.length < examples.length;
  return {
    description: headers[name],
    required: !isOptional,
    schema: { type, ...(name === "etag" && { pattern: '^"[\\w-]+"$' }) },
    ...(isSame
      ? { example: found[0]?.value }
      : { examples: Object.fromEntries(found.map(({ summary, value }) => [toName(summary), { value }])) }),
  };
}

/** "Not JSON" is `notJson`. */
function toName(summary: string): string {
  return summary.toLowerCase().replaceAll(/[^a-z0-9]+(.)/g, (_, letter: string) => letter.toUpperCase());
}
