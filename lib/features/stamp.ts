/**
 * Identifies a change: its id, its author, its time and its request. An attempt is one execution of a request; a retry by
 * its client is another, of the same change.
 */
import { createHash, randomBytes } from "node:crypto";

export interface Stamp {
  /** The same in every environment, and for every retry. */
  id: string;
  /** The name of the API key, or of the operator. */
  by: string;
  /** When the attempt began; for a retry, that of the earlier attempt which it finds. */
  at: string;
  /** When the attempt began that made the change here, where that was a retry. */
  retriedAt?: string | undefined;
  /** A fingerprint of its idempotency key. */
  key?: string | undefined;
  /** Why it was made, in the words of its caller. */
  reason?: string | undefined;
  /** The id of its request. */
  request: string;
}

interface Origin {
  by: string;
  request: string;
  reason?: string | undefined;
  idempotency?: { key: string; content: unknown } | undefined;
}

const idBytes = 8;

/**
 * With an idempotency key the id follows from the key and from what was sent with it, so that it is the same for a retry.
 * Scoped to the author: two callers who choose the same key do not affect each other.
 */
export function createStamp({ by, request, reason, idempotency }: Origin): Stamp {
  const scope = [by, idempotency?.key];
  return {
    id: idempotency ? fingerprint([...scope, idempotency.content], idBytes) : newId(),
    ...{ by, at: new Date().toISOString(), request },
    ...(idempotency && { key: fingerprint(scope, idBytes) }),
    ...(reason !== undefined && { reason }),
  };
}

/** 64 random bits: the id of a change, and of an item's life. */
export function newId(): string {
  return randomBytes(idBytes).toString("base64url");
}

/** When the attempt began that made a change. */
export function attemptedAt({ at, retriedAt = at }: Pick<Stamp, "at" | "retriedAt">): number {
  return Date.parse(retriedAt);
}

/** A short text that is the same for equal values, and differs for others. */
export function fingerprint(value: unknown, bytes: number): string {
  return createHash("sha256").update(JSON.stringify(value)).digest().subarray(0, bytes).toString("base64url");
}
