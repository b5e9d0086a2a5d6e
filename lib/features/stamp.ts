/** Makes stamps, which identify writes such as changes and creations, and the ids and hashes that identify anything. */
import { createHash, randomBytes } from "node:crypto";
import { dayMs, limits } from "../contract/limits.ts";

/** The options of a request that are stored with its change. */
export interface StoredOptions {
  reason: string | undefined;
  /** For a time after its write in an environment, a trip of the guard may undo the change there. */
  guard: GuardOption | undefined;
}

export interface Stamp extends Partial<StoredOptions> {
  /** The id of the write: with an idempotency key the same in each retry. */
  id: string;
  /** The name of the API key or the operator. */
  by: string;
  /** When this attempt began; once it has found the change of another attempt, when that one began (`adoptTimeAndOptions`). */
  at: string;
  /** The id of the attempt's HTTP request, which the log has too. */
  requestId: string;
  /** A hash of what a retry with the idempotency key must repeat; absent without one. */
  requestHash?: string | undefined;
}

/** A guard as a request sets it, for this time after the write in each environment. */
export interface GuardOption {
  name: string;
  seconds: number;
}

interface StampSource {
  by: string;
  requestId: string;
  /** Has a member for each option, undefined too, so that a caller forgets none. A write without options has none. */
  options?: StoredOptions;
  /** The id follows from the key, the scope and the author. A retry with another `toRepeat` is refused. */
  idempotency?: { idempotencyKey: string; scope: unknown; toRepeat: unknown } | undefined;
}

/**
 * Makes a stamp. With an idempotency key, the id follows from the key, its scope and the author, so that a retry gets
 * the same id, and callers who choose the same key do not affect each other.
 */
export function createStamp({ by, requestId, options, idempotency }: StampSource): Stamp {
  const { idempotencyKey, scope, toRepeat } = idempotency ?? {};
  return {
    ...withoutAbsent({ ...options }),
    id: idempotency ? idFrom([by, idempotencyKey, scope]) : newId(),
    by,
    at: new Date().toISOString(),
    requestId,
    ...(idempotency && { requestHash: fingerprint(toRepeat, idBytes) }),
  };
}

const idBytes = 8;

/** Makes the id of a change, or the uid of an item. */
export function newId(): string {
  return toId(randomBytes(idBytes).toString("base64url"));
}

/** Makes an id that follows from the value. */
export function idFrom(value: unknown): string {
  return toId(fingerprint(value, idBytes));
}

/** Replaces a hyphen at the start: a command line would take the id for an option. */
function toId(text: string): string {
  return text.replace(/^-/, "_");
}

export function fingerprint(value: unknown, bytes: number): string {
  return hashText(JSON.stringify(value), bytes);
}

export function hashText(text: string, bytes: number): string {
  return createHash("sha256").update(text).digest().subarray(0, bytes).toString("base64url");
}

function withoutAbsent<Members extends object>(members: Members): Members {
  const present = Object.entries(members).filter(([, value]) => value !== undefined);
  return Object.fromEntries(present) as Members;
}

/**
 * Returns the stamp with the time, the reason and the guard of the change that was found. A retry or a parallel attempt
 * adopts those of the attempt that has written first, so that all parts of the change are alike and expire together.
 */
export function adoptTimeAndOptions(stamp: Stamp, { from: { at, reason, guard } }: { from: Stamp }): Stamp {
  const options: StoredOptions = { reason, guard };
  return withoutAbsent({ ...stamp, ...options, at });
}

/** Whether it is too late to undo the change of this stamp, or to retry its request. */
export function isTooOld({ at }: Pick<Stamp, "at">): boolean {
  return Date.now() >= Date.parse(at) + limits.undoableDays * dayMs;
}

type OptionTexts = { [Name in keyof StoredOptions]?: string };

/** Returns the options as the list of changes shows them. */
export function describeOptions({ reason, guard }: Partial<StoredOptions>): OptionTexts {
  const texts: Record<keyof StoredOptions, string | undefined> = { reason, guard: guard?.name };
  return withoutAbsent(texts) as OptionTexts;
}

/** Returns the `earlierWriteIds` of the next revision: `lastWrite` comes first, and the oldest are dropped. */
export function earlierWriteIdsAfter(lastWrite: Stamp, earlierWriteIds: readonly string[]): string[] {
  return [lastWrite.id, ...earlierWriteIds].slice(0, limits.earlierWriteIds);
}
