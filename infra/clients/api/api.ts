/** The API as its clients here see it: a request in, a response out, over HTTP or in this process. */
import * as z from "zod/mini";
import * as errors from "../../../lib/contract/errors.ts";
import { type Detail, errorSchema } from "../../../lib/contract/responses/error-body.ts";
import { isApplied, isWriteUnknown } from "./error-codes.ts";

export interface ApiRequest {
  method: "GET" | "POST" | "PATCH" | "PUT" | "DELETE";
  /** Encoded, with its query: as `pathOf` of path.ts makes it. */
  path: string;
  headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  body?: unknown;
}

export interface ApiResponse {
  status: number;
  /** The headers by their names in lower case. */
  headers: Readonly<Record<string, string | undefined>>;
  /** The parsed JSON of the body, or the text of a failure's body that is not JSON. */
  body: unknown;
  /** The error itself, if the API runs in this process. It has its cause. */
  error?: errors.ApiError;
}

export interface Api {
  send(request: ApiRequest): Promise<ApiResponse>;
}

/** Whether a retry of the request has no further effect. */
export function isSafeToRetry(request: ApiRequest): boolean {
  return isRead(request) || request.headers?.["idempotency-key"] !== undefined;
}

export function isRead({ method, path }: ApiRequest): boolean {
  return method === "GET" || /[?&]dryRun=true\b/.test(path);
}

/** The bodies of the responses for which `request` has thrown an error. */
const bodies = new WeakMap<Error, unknown>();

/** Returns the body of the response from which the error, or its cause, was made. Undefined if there was no response. */
export function bodyOfError(error: unknown): unknown {
  return error instanceof Error ? (bodies.get(error) ?? bodyOfError(error.cause)) : undefined;
}

/** Parses the body of a success, and throws the error of a failure. */
export async function request<Body extends z.ZodMiniType>(
  api: Api,
  schema: Body,
  wanted: ApiRequest,
): Promise<{ headers: ApiResponse["headers"]; body: z.output<Body>; raw: unknown }> {
  const response = await api.send(wanted);
  if (response.status >= 400) {
    const error = parseError(response, wanted);
    bodies.set(error, response.body);
    throw error;
  }
  const { success, data, error } = z.safeParse(schema, response.body);
  const { method, path } = wanted;
  if (!success) throw unexpected(`${method} ${path}`, z.prettifyError(error));
  return { headers: response.headers, body: data, raw: response.body };
}

/** Returns the ETag, without which a write could not be limited to what the user has seen. */
export function requireEtag({ etag }: ApiResponse["headers"]): string {
  if (etag !== undefined) return etag;
  throw new errors.ValidationError(
    "The response has no ETag, without which a write cannot be limited to the state that was read; check what is between this command and the API",
  );
}

/** Whether the write is stored, and only its response is missing. */
export function isOnlyResponseMissing(error: unknown): error is errors.ApiError {
  return error instanceof errors.ApiError && isApplied(error.code);
}

/** Returns what stands for the missing response of a write that is stored. */
export function responseOfApplied({ code, message, changeId, details }: errors.ApiError) {
  return { headers: { "burgee-change": changeId }, body: undefined, raw: { code, message, details } };
}

function unexpected(what: string, why: string): errors.ApiError {
  return new errors.ValidationError(
    `The response to ${what} is not that of a Burgee of this version: ${why.replaceAll("\n", " ")}`,
  );
}

const kinds = [
  ["AuthenticationRequired", errors.AuthenticationRequired],
  ["NoAccessError", errors.NoAccessError],
  ["NotFoundError", errors.NotFoundError],
  ["MethodNotAllowed", errors.MethodNotAllowed],
  ["ConflictError", errors.ConflictError],
  ["PreconditionFailed", errors.PreconditionFailed],
  ["PayloadTooLarge", errors.PayloadTooLarge],
  ["ContentTypeError", errors.ContentTypeError],
  ["TemporarilyUnavailable", errors.TemporarilyUnavailable],
  ["InternalError", errors.InternalError],
] as const;

/** Makes the error that the service has thrown, as far as the response shows it. */
function parseError({ status, headers, body, error }: ApiResponse, wanted: ApiRequest): errors.ApiError {
  if (error) return error;
  const parsed = z.safeParse(errorSchema, body);
  const facts = { etag: headers.etag, changeId: headers["burgee-change"] };
  if (!parsed.success) {
    // API Gateway's own errors have a message alone.
    const text = typeof body === "string" ? body.slice(0, 200) : (Object(body).message ?? "");
    const Kind = status >= 500 || status === 429 ? errors.TemporarilyUnavailable : errors.ValidationError;
    const advice =
      status === 404 ? "; check the address: that of the API ends before a path such as /patch" : "";
    const code = !isRead(wanted) && isWriteUnknown(status, {}) ? "outcome-unknown" : undefined;
    return new Kind(`HTTP status ${status}${text && `: ${text}`}${advice}`, { ...facts, code });
  }
  const { id, name, message, details, ...rest } = parsed.data;
  const Kind = new Map<string, (typeof kinds)[number][1]>(kinds).get(name) ?? errors.ValidationError;
  return new Kind(status >= 500 ? `${message} (error ${id})` : message, {
    ...facts,
    ...rest,
    // The service sends no other details than those of the four types.
    details: details as readonly Detail[] | undefined,
  });
}
