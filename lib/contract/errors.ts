/** The errors of the API: one class for each name and status. The OpenAPI document quotes the comments. */
import type { Detail } from "./responses.ts";

interface Options {
  details?: readonly Detail[];
  headers?: Readonly<Record<string, string>>;
  /** The current one, where the request had another. */
  etag?: string;
  cause?: unknown;
  /** Whether a write of the request may be stored all the same. */
  mayBeStored?: boolean;
}

interface Context {
  message?: string;
  details?: readonly Detail[] | undefined;
  headers?: Readonly<Record<string, string>>;
  change?: string | undefined;
}

export abstract class ApiError extends Error {
  abstract readonly status: number;
  abstract override readonly name: string;
  readonly details: readonly Detail[] | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly etag: string | undefined;
  /** The id of the request's change, if it is stored in some environment, or may be. */
  readonly change: string | undefined;
  readonly mayBeStored: boolean;

  constructor(message: string, { details, headers = {}, etag, cause, mayBeStored = false }: Options = {}) {
    super(message, { cause });
    this.details = details;
    this.headers = headers;
    this.etag = etag;
    this.mayBeStored = mayBeStored;
  }

  /** The same error, with the context it was raised in. */
  withContext(context: Context): ApiError {
    const { message = this.message, details = this.details, headers, change = this.change } = context;
    return Object.create(this, {
      message: { value: message },
      details: { value: details },
      headers: { value: { ...this.headers, ...headers } },
      change: { value: change },
      cause: { value: this.cause ?? this },
    });
  }
}

function kindOf(name: string, status: number) {
  return class extends ApiError {
    override readonly name = name;
    readonly status = status;
  };
}

/** The request is invalid, or the variants after the patch are. */
export class ValidationError extends kindOf("ValidationError", 400) {}

/** The API key is missing, unknown, disabled or expired; the response is the same for each. */
export class AuthenticationRequired extends kindOf("AuthenticationRequired", 401) {}

/** The API key lacks the required permission. Nothing was written. */
export class NoAccessError extends kindOf("NoAccessError", 403) {}

/** The project, the feature or the environment does not exist. */
export class NotFoundError extends kindOf("NotFoundError", 404) {}

/** The path does not have this method; `allow` lists those that it has (RFC 9110, section 15.5.6). */
export class MethodNotAllowed extends kindOf("MethodNotAllowed", 405) {}

/**
 * A conflict with another request, or with an earlier one that had the same idempotency key. Rarely, it is not known
 * whether the write was stored: the message says so.
 */
export class ConflictError extends kindOf("ConflictError", 409) {}

/** The ETag of `If-Match` is no longer current; `etag` is the current one (RFC 9110, section 15.5.13). */
export class PreconditionFailed extends kindOf("PreconditionFailed", 412) {}

/** The body is larger than {@link limits.bodyBytes}. */
export class PayloadTooLarge extends kindOf("PayloadTooLarge", 413) {}

/** The media type or the content coding of the body is not supported. */
export class ContentTypeError extends kindOf("ContentTypeError", 415) {}

/** An error of the service. The log has its cause, under the `id`. */
export class InternalError extends kindOf("InternalError", 500) {}

/**
 * The database throttled the request, failed or did not respond in time. Retry after `retry-after` seconds. If the
 * message says that it is not known whether the write was stored, read what is stored before you retry, unless the
 * request had an `Idempotency-Key`.
 */
export class TemporarilyUnavailable extends kindOf("TemporarilyUnavailable", 503) {
  constructor(message: string, options: Options = {}) {
    super(message, { ...options, headers: { "retry-after": "1", ...options.headers } });
  }
}

export function toUnavailable(cause: unknown): TemporarilyUnavailable {
  return new TemporarilyUnavailable("The database is temporarily unavailable", { cause });
}

/** For a write of which an attempt may be stored. */
export function toUnknownOutcome(error: unknown): TemporarilyUnavailable {
  const { message, cause } = error instanceof TemporarilyUnavailable ? error : toUnavailable(error);
  return new TemporarilyUnavailable(`${message}; it is not known whether the write was stored`, {
    cause,
    mayBeStored: true,
  });
}

/** The response to an unknown error has only its id. */
export function toApiError(thrown: unknown): ApiError {
  return thrown instanceof ApiError ? thrown : new InternalError("Internal error", { cause: thrown });
}
