/** Identifies a change: its id, author, time and request. */
import { createHash, randomBytes } from "node:crypto";
import { limits } from "../contract/limits.ts";

export interface Stamp {
  /** The same in every environment and retry. */
  id: string;
  /** The name of the API key or the operator. */
  by: string;
  /** When the first attempt of the request began. */
  at: string;
  /** The id of the HTTP request that made the change. */
  requestId: string;
  reason?: string | undefined;
  /** What may take the change back, for a time from its write in each environment on. */
  guard?: Guard | undefined;
  /** A hash of what a retry with the idempotency key must repeat; absent without one. */
  requestHash?: string | undefined;
}

export interface Guard {
  name: string;
  seconds: number;
}

interface Origin {
  by: string;
  requestId: string;
  reason?: string | undefined;
  guard?: Guard | undefined;
  /** `repeated`: what each retry with the key must repeat. */
  idempotency?: { idempotencyKey: string; scope: unknown; repeated: unknown } | undefined;
}

const idBytes = 8;

/**
 * With an idempotency key the id follows from it and its scope, so that a retry has the same. The author counts too:
 * callers who choose the same key do not affect each other.
 */
export function createStamp({ by, requestId, reason, guard, idempotency }: Origin): Stamp {
  const { idempotencyKey, scope, repeated } = idempotency ?? {};
  return {
    id: idempotency ? toId(fingerprint([by, idempotencyKey, scope], idBytes)) : newId(),
    by,
    at: new Date().toISOString(),
    requestId,
    ...(reason !== undefined && { reason }),
    ...(guard && { guard }),
    ...(idempotency && { requestHash: fingerprint(repeated, idBytes) }),
  };
}

/** What is wrong with a reason, if anything. Format characters would change how the text around them is shown. */
export function reasonIssue(reason: string): string | undefined {
  if ([...reason].length > limits.reasonLength) return `must have at most ${limits.reasonLength} characters`;
  const hasUnshown = /[\p{Cc}\p{Cf}]/u.test(reason);
  return hasUnshown ? "must have no control or format characters, such as line breaks" : undefined;
}

/** The id of a change, or the uid of an item. */
export function newId(): string {
  return toId(randomBytes(idBytes).toString("base64url"));
}

/** A command line would take an id that begins with a hyphen for an option. */
function toId(text: string): string {
  return text.replace(/^-/, "_");
}

export function fingerprint(value: unknown, bytes: number): string {
  return createHash("sha256").update(JSON.stringify(value)).digest().subarray(0, bytes).toString("base64url");
}
