/** Identifies a change: its id, its author, its time and its request. */
import { createHash, randomBytes } from "node:crypto";

export interface Stamp {
  /** The same in every environment, and for every retry. */
  id: string;
  /** The name of the API key, or of the operator. */
  by: string;
  /** When the request began. A retry takes the time of its first attempt (`asRetry`). */
  at: string;
  /** The id of its request. */
  request: string;
  /** Why it was made, in the words of its caller. */
  reason?: string | undefined;
  /** With an idempotency key: a fingerprint of what was sent with it. */
  content?: string | undefined;
}

interface Origin {
  by: string;
  request: string;
  reason?: string | undefined;
  idempotency?: { key: string; scope: unknown; content: unknown } | undefined;
}

const idBytes = 8;

/**
 * With an idempotency key the id follows from the key, so that it is the same for a retry. Scoped to the author: two
 * callers who choose the same key do not affect each other.
 */
export function createStamp({ by, request, reason, idempotency }: Origin): Stamp {
  const { key, scope, content } = idempotency ?? {};
  return {
    id: idempotency ? fingerprint([by, key, scope], idBytes) : newId(),
    by,
    at: new Date().toISOString(),
    request,
    ...(reason !== undefined && { reason }),
    ...(idempotency && { content: fingerprint(content, idBytes) }),
  };
}

/** 64 random bits: the id of a change, or the uid of an item. */
export function newId(): string {
  return randomBytes(idBytes).toString("base64url");
}

/** A short text that is the same for equal values, and differs for others. */
export function fingerprint(value: unknown, bytes: number): string {
  return createHash("sha256").update(JSON.stringify(value)).digest().subarray(0, bytes).toString("base64url");
}
