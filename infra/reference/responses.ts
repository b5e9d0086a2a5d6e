/** Responses of the document, made of recorded ones. */
import { STATUS_CODES } from "node:http";
import { limits } from "../../lib/contract/limits.ts";
import { readComments } from "./comments.ts";
import { namesFor, refer } from "./named-schemas.ts";
import type { Recorded } from "./record.ts";

const errors = readComments("lib/contract/errors.ts");

const headers: Readonly<Record<string, string>> = {
  location:
    "The path of the feature that was created or restored, or of the tags that were updated; names are percent-encoded.",
  etag: "A strong ETag of what is stored: of the environment, of all environments, of the tags, or of environments and tags; or of a list or document.",
  "burgee-environments": `The outcome of each environment; names are percent-encoded. Absent if the feature has no environment, or if it would be longer than ${limits.environmentsHeaderLength} characters.`,
  "burgee-change": "The id of the change, to undo it; absent if nothing of it is stored.",
  "burgee-hint": `What may surprise in the change, as a dry run has it in \`hint\`, after its environment, whose name is percent-encoded. Absent if it would be longer than ${limits.hintHeaderLength} characters.`,
  "burgee-moves": `The share of the users of each environment who move, at most; names are percent-encoded. "unknown" where it cannot be computed. Absent if it would be longer than ${limits.environmentsHeaderLength} characters.`,
  "burgee-left-out":
    "How often a feature is left out or converted so that users get something else, once for each reason; absent if never.",
  "preference-applied": "The preference of `Prefer` that was honoured.",
  accept: "The media types that a body may have.",
  "accept-patch": "The media types that a patch may have.",
  "accept-encoding": "The content codings that a body may have.",
  "retry-after": "The number of seconds after which to retry the request.",
  "www-authenticate": "An authentication scheme that is accepted.",
};

/** The headers that a response may have: those above, and those of any HTTP response. */
const known = new Set([
  ...Object.keys(headers),
  ...["allow", "cache-control", "content-type", "vary", "x-content-type-options"],
]);

export type Examples<Value> = Readonly<Record<string, Value>>;

/** A response of this name, which for an error is the error's. */
export function toResponse(name: string, examples: Examples<Recorded>) {
  const recorded = Object.values(examples);
  const error = errors[name];
  const unknown = recorded.flatMap((one) => Object.keys(one.headers)).find((header) => !known.has(header));
  if (unknown !== undefined) throw new Error(`the header ${unknown} of ${name} has no description`);
  const found = Object.keys(headers).flatMap((header) => toHeader(header, recorded));
  return {
    description: error === undefined ? STATUS_CODES[statusOf(examples)] : `\`${name}\`. ${error}`,
    headers: found.length > 0 ? Object.fromEntries(found) : undefined,
    content: recorded[0]?.body ? { "application/json": toContent(examples, `${name}Body`) } : undefined,
  };
}

/** The response of API Gateway itself, which no handler can record. */
export const tooManyRequests = {
  description: "API Gateway throttled the request, which reached no function: retry it later.",
  content: {
    "application/json": {
      schema: { $ref: refer("gatewayErrorSchema") },
      examples: { Throttled: { value: { message: "Too Many Requests" } } },
    },
  },
};

export function statusOf(examples: Examples<Recorded>): number {
  const [status = 0, ...others] = new Set(Object.values(examples).map(({ status }) => status));
  if (others.length > 0) throw new Error(`${Object.keys(examples)} have the statuses ${[status, ...others]}`);
  return status;
}

/** Generated clients name a choice of schemas by its title. */
export function toContent(examples: Examples<{ body?: unknown }>, title?: string) {
  const bodies = Object.values(examples).map(({ body }) => body);
  const references = namesFor(bodies, title === undefined ? "sent" : "returned").map((name) => ({
    $ref: refer(name),
  }));
  return {
    schema: references.length === 1 ? references[0] : { title, anyOf: references },
    examples: Object.fromEntries(Object.entries(examples).map(([name, { body }]) => [name, { value: body }])),
  };
}

/** Returns an entry for the header if a response has it. */
function toHeader(header: string, recorded: readonly Recorded[]) {
  const values = recorded.flatMap(({ headers }) => headers[header] ?? []);
  const isInteger = header === "retry-after";
  const content = {
    description: headers[header],
    required: !header.startsWith("burgee-") && values.length === recorded.length,
    schema: { type: isInteger ? "integer" : "string", ...(header === "etag" && { pattern: '^"[\\w.-]+"$' }) },
    example: isInteger ? Number(values[0]) : values[0],
  };
  return values.length > 0 ? [[header, content]] : [];
}
