/** The errors of the API: one class for each name and status of the contract. */
import type { Detail } from "./error-body.ts";

interface Options {
  details?: readonly Detail[];
  headers?: Readonly<Record<string, string>>;
  cause?: unknown;
}

export abstract class ApiError extends Error {
  abstract readonly status: number;
  abstract override readonly name: string;
  readonly details: readonly Detail[] | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor(message: string, { details, headers = {}, cause }: Options = {}) {
    super(message, { cause });
    this.details = details;
    this.headers = headers;
  }

  /** The same error, with the context it was raised in. */
  withContext(message: string, details: readonly Detail[]): ApiError {
    return Object.create(this, {
      message: { value: message },
      details: { value: details },
      cause: { value: this.cause ?? this },
    });
  }
}

export class ValidationError extends ApiError {
  override readonly name = "ValidationError";
  readonly status = 400;
}

export class AuthenticationRequired extends ApiError {
  override readonly name = "AuthenticationRequired";
  readonly status = 401;
}

export class NoAccessError extends ApiError {
  override readonly name = "NoAccessError";
  readonly status = 403;
}

export class NotFoundError extends ApiError {
  override readonly name = "NotFoundError";
  readonly status = 404;
}

/** RFC 9110 section 15.5.6: the response lists the methods that the resource has. */
export class MethodNotAllowed extends ApiError {
  override readonly name = "MethodNotAllowed";
  readonly status = 405;
}

export class ConflictError extends ApiError {
  override readonly name = "ConflictError";
  readonly status = 409;
}

/** RFC 9110 section 15.5.13: the precondition of `If-Match` is false. */
export class PreconditionFailed extends ApiError {
  override readonly name = "PreconditionFailed";
  readonly status = 412;
}

export class PayloadTooLarge extends ApiError {
  override readonly name = "PayloadTooLarge";
  readonly status = 413;
}

export class ContentTypeError extends ApiError {
  override readonly name = "ContentTypeError";
  readonly status = 415;
}

export class InternalError extends ApiError {
  override readonly name = "InternalError";
  readonly status = 500;
}

/** The caller may retry the same request after `retry-after` seconds. */
export class TemporarilyUnavailable extends ApiError {
  override readonly name = "TemporarilyUnavailable";
  readonly status = 503;

  constructor(message: string, options: Options = {}) {
    super(message, { ...options, headers: { "retry-after": "1", ...options.headers } });
  }
}
