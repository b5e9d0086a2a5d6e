/** The writes that an environment's item remembers, so that a retry of one is recognised. */
import { limits } from "../contract/limits.ts";
import type { RecordedWrite, RememberedWrite } from "../features/feature.ts";

type PlainWrite = [id: string, revision: number, at: number];

/** As it is stored; with an idempotency record if its request had a key. */
export type StoredWrite = PlainWrite | [...PlainWrite, key: string, change: string];

export interface RetryList {
  writes: RememberedWrite[];
  /** Writes whose records must be stored as items of their own before the list without them is. */
  moving: RecordedWrite[];
}

export function toStoredWrite(write: RememberedWrite): StoredWrite {
  const plain: PlainWrite = [write.id, write.revision, write.at];
  return isRecord(write) ? [...plain, write.key, write.change] : plain;
}

export function fromStoredWrite([id, revision, at, key, change]: StoredWrite): RememberedWrite {
  const write = { id, revision, at };
  return key === undefined || change === undefined ? write : { ...write, key, change };
}

/**
 * Of the writes without an idempotency key the newest are kept. The others are kept until they expire; when they are too
 * many, the older half moves.
 */
export function rememberWrite(writes: readonly RememberedWrite[], latest: RememberedWrite): RetryList {
  const all = [...writes, latest];
  const plain = all.filter((write) => !isRecord(write)).slice(-limits.rememberedWrites);
  const records = all.filter(isRecord).filter((record) => latest.at < expiryOf(record));
  const isFull = records.length > limits.rememberedWrites;
  const moving = records.slice(0, isFull ? Math.ceil(limits.rememberedWrites / 2) : 0);
  const kept = new Set([...plain, ...records.slice(moving.length)]);
  return { writes: all.filter((write) => kept.has(write)), moving };
}

export function isRecord(write: RememberedWrite): write is RecordedWrite {
  return "key" in write;
}

/** In milliseconds since 1970. */
export function expiryOf({ at }: RememberedWrite): number {
  return at + limits.idempotencyHours * 3_600_000;
}
