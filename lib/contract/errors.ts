/**
 * The errors of the API: a class for each status. `ChangedSinceError` and `ConcurrentChange`, which stand beside what
 * throws them, are conflicts that the code handles in ways of their own. The OpenAPI document quotes the comments.
 */
import type { Detail, ErrorCode } from "./responses/error-body.ts";

export interface WriteDoubt {
  /**
   * Whether a write may be stored although no response confirmed it: now, or later if it is still in flight.
   */
  mayBeStored: boolean;
}

export interface ErrorFacts {
  code?: ErrorCode | undefined;
  details?: readonly Detail[] | undefined;
  headers?: Readonly<Record<string, string>>;
  etag?: string | undefined;
  cause?: unknown;
  /** The id of the request's change, if some environment has it or may have it. */
  changeId?: string | undefined;
  /** The id of the request's creation, restoration, deletion or tag update, if it is stored or may be. */
  writeId?: string | undefined;
  /** The id of the change that has undone the request's change. */
  undoneBy?: string | undefined;
  /** Facts that the log has, and no response. */
  log?: {
    /** The share of users who would move, which is more than the request allows; null if it cannot be computed. */
    movedShare?: number | null;
  };
}

export abstract class ApiError extends Error implements WriteDoubt {
  abstract readonly status: number;
  abstract override readonly name: string;
  declare readonly code: ErrorCode | undefined;
  declare readonly details: ErrorFacts["details"];
  declare readonly headers: Readonly<Record<string, string>>;
  declare readonly etag: string | undefined;
  declare readonly changeId: string | undefined;
  declare readonly writeId: string | undefined;
  declare readonly undoneBy: string | undefined;
  declare readonly log: NonNullable<ErrorFacts["log"]>;
  readonly #facts: ErrorFacts;

  constructor(message: string, { cause, ...facts }: ErrorFacts = {}) {
    super(message, { cause });
    this.#facts = facts;
    // Each member has the name of its fact.
    Object.assign(this, { headers: {}, log: {} }, facts);
  }

  /** An unexpected error may come after the write. */
  get mayBeStored(): boolean {
    return this.code === "outcome-unknown" || this.status === 500;
  }

  /** Copies the error with these facts, which replace those of the same name. */
  with({ message = this.message, ...facts }: ErrorFacts & { message?: string }): ApiError {
    const Kind = this.constructor as new (message: string, facts: ErrorFacts) => ApiError;
    return new Kind(message, { ...this.#facts, cause: this.cause ?? this, ...facts });
  }
}

/** The request is invalid, or the result of its patch would be, or its response would be too large. */
export class ValidationError extends ApiError {
  override readonly name = "ValidationError";
  readonly status = 400;
}

/** The API key is missing, unknown, disabled or expired; the response is the same for each. */
export class AuthenticationRequired extends ApiError {
  override readonly name = "AuthenticationRequired";
  readonly status = 401;
}

/** The API key lacks the required permission. This attempt wrote nothing. */
export class NoAccessError extends ApiError {
  override readonly name = "NoAccessError";
  readonly status = 403;
}

/** The path, or what it names, does not exist; a restoration finds no deleted feature of the name. */
export class NotFoundError extends ApiError {
  override readonly name = "NotFoundError";
  readonly status = 404;
}

/** RFC 9110 section 15.5.6: `allow` lists the methods of the path. */
export class MethodNotAllowed extends ApiError {
  override readonly name = "MethodNotAllowed";
  readonly status = 405;
}

/** The request conflicts with what is stored, or with an earlier request that had the same idempotency key. */
export class ConflictError extends ApiError {
  override readonly name = "ConflictError";
  readonly status = 409;
}

/**
 * `If-Match` has no current ETag, or `If-None-Match` has one. This attempt wrote nothing; if an earlier one wrote,
 * `details` says where. `etag` is the current one (RFC 9110, section 15.5.13).
 */
export class PreconditionFailed extends ApiError {
  override readonly name = "PreconditionFailed";
  readonly status = 412;
}

/** The body is larger than {@link limits.bodyBytes}. */
export class PayloadTooLarge extends ApiError {
  override readonly name = "PayloadTooLarge";
  readonly status = 413;
}

/** The media type or the content coding of the body is not supported. */
export class ContentTypeError extends ApiError {
  override readonly name = "ContentTypeError";
  readonly status = 415;
}

/** An error of the service. The log has its cause, under the `id`. */
export class InternalError extends ApiError {
  override readonly name = "InternalError";
  readonly status = 500;
}

/**
 * The database throttled the request, failed or did not respond in time. Retry after `retry-after` seconds. If `code`
 * is `outcome-unknown`, the write may be stored: send the request again with its `Idempotency-Key`. Without one, read
 * first what is stored, unless the request is a tag update, a trip or a deletion.
 */
export class TemporarilyUnavailable extends ApiError {
  override readonly name = "TemporarilyUnavailable";
  readonly status = 503;

  constructor(message: string, facts: ErrorFacts = {}) {
    super(message, { ...facts, headers: { "retry-after": "1", ...facts.headers } });
  }
}

export function requireProject<Project>(project: Project | undefined, id: string): Project {
  if (project === undefined) throw new NotFoundError(`There is no project "${id}"`);
  return project;
}

export function notInProject(project: string, kind: "environment" | "feature", name: string): NotFoundError {
  return new NotFoundError(`Project "${project}" has no ${kind} "${name}"`);
}

export function toUnavailable(cause: unknown): TemporarilyUnavailable {
  return new TemporarilyUnavailable("The database is temporarily unavailable", { cause });
}

export function toUnknownOutcome(error: unknown): ApiError {
  const unavailable = error instanceof TemporarilyUnavailable ? error : toUnavailable(error);
  const message = `${unavailable.message}; it is not known whether the write was stored`;
  return unavailable.with({ message, code: "outcome-unknown" });
}

/** Hides an unexpected error behind an `InternalError`, so that the response reveals nothing of it. */
export function toApiError(thrown: unknown): ApiError {
  return thrown instanceof ApiError ? thrown : new InternalError("Internal error", { cause: thrown });
}

/** Catches what fails after a write that may be stored: a failure of the database leaves its outcome unknown. */
export function rethrowAsUnknownOutcome(thrown: unknown): never {
  throw thrown instanceof TemporarilyUnavailable && !thrown.code ? toUnknownOutcome(thrown) : thrown;
}

/**
 * Lets a message continue after a colon, in lower case. The name of a header at its start, such as `If-Match`, stays.
 */
export function afterColon(message: string): string {
  return message.replace(/^[A-Z](?=[a-z]* )/, (letter) => letter.toLowerCase());
}
