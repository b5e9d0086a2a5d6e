/** Makes the response from an answer or an error. */
import type { APIGatewayProxyStructuredResultV2 } from "aws-lambda";
import { type ApiError, ValidationError } from "../contract/errors.ts";
import { limits } from "../contract/limits.ts";
import type { EnvironmentOutcome, ErrorBody } from "../contract/responses/error-body.ts";
import { etagMatches } from "../features/etags.ts";
import type { HttpRequest } from "./event.ts";
import { parseEtags } from "./option-values.ts";
import type { RequestOptions } from "./options.ts";
import type { Answer, Route } from "./route.ts";

const commonHeaders = { "cache-control": "no-store", "x-content-type-options": "nosniff" };

interface ResponseContext extends Partial<Pick<RequestOptions, "dryRun" | "prefersStrict">> {
  /** Whether the request writes. The error of a response that is too large then says that the request was applied. */
  isWrite?: boolean;
}

/** Advice for a dry run that is too large although it is of one environment already: no smaller request can show it. */
export const adviceForDryRun = `the write itself may have a response of ${limits.responseBytes / 1e6} MB`;

type Headers = Readonly<Record<string, string>>;

/** Responds with the answer of a route. `options` is absent for a page. */
export function respondToRequest(
  { headers }: HttpRequest,
  { method }: Pick<Route<never>, "method">,
  answer: Answer,
  options?: RequestOptions,
): APIGatewayProxyStructuredResultV2 {
  if (method !== "GET") return respond(answer, { ...options, isWrite: !options?.dryRun });
  // A malformed If-None-Match only costs a read its 304, so it is ignored.
  const known = parseEtags(headers["if-none-match"] ?? "", { weakToo: true });
  const { body, rawBody, ...rest } = answer;
  // RFC 9110 section 13.1.2: the comparison is weak.
  const isKnown = known && answer.etag !== undefined && etagMatches(known, answer.etag);
  return respond(isKnown ? { ...rest, status: 304 } : answer, options);
}

export function respond(answer: Answer, context: ResponseContext = {}): APIGatewayProxyStructuredResultV2 {
  const { status, etag, changeId, hint, headers, body, rawBody = JSON.stringify(body) } = answer;
  const { environmentOutcomes = [], movedShares = new Map() } = answer;
  const isCompressed = Buffer.isBuffer(rawBody);
  const encodedHeaders = encodeHeaders({
    ...commonHeaders,
    ...(rawBody !== undefined && { "content-type": "application/json" }),
    ...(etag !== undefined && { etag: `"${etag}"` }),
    // A dry run makes no change, so its response names none, even if an earlier attempt of the request has made one.
    ...(changeId !== undefined && !context.dryRun && { "burgee-change": changeId }),
    ...(context.prefersStrict && { "preference-applied": "handling=strict" }),
    ...headers,
    ...outcomesHeader(environmentOutcomes),
    ...movesHeader(movedShares),
    ...(hint && hintHeader(hint)),
    ...(isCompressed && { "content-encoding": "gzip" }),
  });
  if (rawBody === undefined) return { statusCode: status, headers: encodedHeaders };
  const text = isCompressed ? rawBody.toString("base64") : rawBody;
  if (!fitsInResponse(text, context)) throw tooLarge(answer, context);
  return {
    statusCode: status,
    headers: encodedHeaders,
    body: text,
    ...(isCompressed && { isBase64Encoded: true }),
  };
}

type Undefinable<Body> = { [Member in keyof Body]: Body[Member] | undefined };

export function respondWithError(
  error: ApiError,
  id: string,
  context: ResponseContext = {},
): APIGatewayProxyStructuredResultV2 {
  const { status, name, code, message, details, headers, etag, changeId, undoneBy } = error;
  // JSON leaves out undefined members.
  const body: Undefinable<ErrorBody> = { id, name, code, message, undoneBy };
  const bodyWithDetails: Undefinable<ErrorBody> = { ...body, details: details && [...details] };
  const shown = fitsInResponse(JSON.stringify(bodyWithDetails), context) ? bodyWithDetails : body;
  return respond({ status, headers, etag, changeId, body: shown }, context);
}

/** After a write, the error has the code `applied`, so that the client does not send the request again. */
function tooLarge(
  { writeId, environmentOutcomes, adviceIfTooLarge }: Answer,
  context: ResponseContext,
): ValidationError {
  const size = `would be larger than ${maxBytesOf(context) / 1e6} MB; `;
  if (!context.isWrite) {
    const advice = adviceIfTooLarge ?? "send the request for one environment";
    return new ValidationError(`The response ${size}${advice}`);
  }
  const advice = adviceIfTooLarge ?? "read one environment at a time";
  return new ValidationError(`The request was applied, but its response ${size}${advice}`, {
    code: "applied",
    writeId,
    details: environmentOutcomes,
  });
}

/** Lambda's response has the body as a JSON string. */
function fitsInResponse(body: string, context: ResponseContext): boolean {
  return Buffer.byteLength(JSON.stringify(body)) <= maxBytesOf(context);
}

function maxBytesOf(context: ResponseContext): number {
  return context.dryRun ? limits.previewBytes : limits.responseBytes;
}

function encodeHeaders(headers: Headers): Headers {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, encodeHeader(value)]));
}

/** Encodes all but visible ASCII and spaces. A line break, for example, would begin another header. */
function encodeHeader(value: string): string {
  return value.toWellFormed().replaceAll(/[^ -~]+/g, encodeURIComponent);
}

/** Names are encoded, as they may contain the separators. */
function outcomesHeader(outcomes: readonly EnvironmentOutcome[]): Headers {
  return environmentsHeader(
    "burgee-environments",
    outcomes.map(({ environment, outcome }) => [environment, outcome]),
  );
}

function movesHeader(shares: NonNullable<Answer["movedShares"]>): Headers {
  const pairs = [...shares].map(([environment, share]) => [environment, share ?? "unknown"] as const);
  return environmentsHeader("burgee-moves", pairs);
}

function environmentsHeader(name: string, pairs: readonly (readonly [string, unknown])[]): Headers {
  const line = pairs.map(([environment, value]) => `${encodeURIComponent(environment)}=${value}`).join(", ");
  return line === "" || line.length > limits.environmentsHeaderLength ? {} : { [name]: line };
}

function hintHeader({ environment, text }: NonNullable<Answer["hint"]>): Headers {
  const line = encodeHeader(`${encodeURIComponent(environment)}: ${text}`);
  return line.length > limits.hintHeaderLength ? {} : { "burgee-hint": line };
}
