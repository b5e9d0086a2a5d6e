/** Makes the response from an answer or an error. */
import type { APIGatewayProxyStructuredResultV2 } from "aws-lambda";
import { type ApiError, ValidationError } from "../contract/errors.ts";
import { limits } from "../contract/limits.ts";
import { bytesInResponse } from "../contract/response-size.ts";
import type { EnvironmentOutcome, ErrorBody } from "../contract/responses/error-body.ts";
import { quoteEtag } from "../features/etags.ts";
import type { RequestOptions } from "./options.ts";
import type { Answer } from "./route.ts";

const commonHeaders = { "cache-control": "no-store", "x-content-type-options": "nosniff" };

interface Mode extends Pick<RequestOptions, "dryRun" | "prefersStrict"> {
  /** Whether the request was a write. If its response is too large, the error says that the request was applied. */
  isWrite?: boolean;
}

/** For a dry run of one environment, which no other request divides further. */
export const adviceForOneEnvironment = `without dryRun it may have ${limits.responseBytes / 1e6} MB`;

type Headers = Readonly<Record<string, string>>;

export function respond(answer: Answer, mode?: Mode): APIGatewayProxyStructuredResultV2 {
  const { status, etag, changeId, hint, headers, body, rawBody = JSON.stringify(body) } = answer;
  const { environmentOutcomes = [], movedShares = new Map() } = answer;
  const isCompressed = Buffer.isBuffer(rawBody);
  const encodedHeaders = encodeHeaders({
    ...commonHeaders,
    ...(rawBody !== undefined && { "content-type": "application/json" }),
    ...(etag !== undefined && { etag: quoteEtag(etag) }),
    // A dry run makes no change, so its response names none, even if an earlier attempt of the request has made one.
    ...(changeId !== undefined && !mode?.dryRun && { "burgee-change": changeId }),
    ...(mode?.prefersStrict && { "preference-applied": "handling=strict" }),
    ...headers,
    ...outcomesHeader(environmentOutcomes),
    ...movesHeader(movedShares),
    ...(hint && hintHeader(hint)),
    ...(isCompressed && { "content-encoding": "gzip" }),
  });
  if (rawBody === undefined) return { statusCode: status, headers: encodedHeaders };
  const text = isCompressed ? rawBody.toString("base64") : rawBody;
  if (!fitsInResponse(text, mode)) throw tooLarge(answer, mode);
  return {
    statusCode: status,
    headers: encodedHeaders,
    body: text,
    ...(isCompressed && { isBase64Encoded: true }),
  };
}

export function respondWithError(
  error: ApiError,
  id: string,
  mode?: Mode,
): APIGatewayProxyStructuredResultV2 {
  const { status, name, code, message, details, headers, etag, changeId, undoneBy } = error;
  const body: ErrorBody = {
    id,
    name,
    ...(code && { code }),
    message,
    ...(undoneBy !== undefined && { undoneBy }),
  };
  const bodyWithDetails: ErrorBody = { ...body, ...(details && { details: [...details] }) };
  const shown = fitsInResponse(JSON.stringify(bodyWithDetails), mode) ? bodyWithDetails : body;
  return respond({ status, headers, etag, changeId, body: shown }, mode);
}

/** After a write, the error says that the request was applied, so that the client does not send it again. */
function tooLarge(answer: Answer, mode?: Mode): ValidationError {
  const {
    changeId,
    writeId,
    environmentOutcomes,
    adviceIfTooLarge = "send the request for one environment",
  } = answer;
  const size = `${maxBytesOf(mode) / 1e6} MB`;
  if (!mode?.isWrite) {
    return new ValidationError(`The response would be larger than ${size}; ${adviceIfTooLarge}`);
  }
  const message = `The request was applied, but its response would be larger than ${size}; read one environment at a time`;
  return new ValidationError(message, { code: "applied", changeId, writeId, details: environmentOutcomes });
}

function fitsInResponse(body: string, mode?: Mode): boolean {
  return bytesInResponse(body) <= maxBytesOf(mode);
}

function maxBytesOf(mode?: Mode): number {
  return mode?.dryRun ? limits.previewBytes : limits.responseBytes;
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
