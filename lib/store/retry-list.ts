/** The writes that an environment's item remembers, so that a retry of one is recognised. */
import { limits } from "../contract/limits.ts";
import type { Change, RecordedWrite, RememberedWrite } from "../features/feature.ts";

type PlainWrite = [id: string, revision: number, at: number];

/** As it is stored: with an idempotency record if its request had a key, and with the undo that has undone it. */
export type StoredWrite = PlainWrite | [...PlainWrite, key: string, change: string, undone?: string];

export interface RetryList {
  writes: RememberedWrite[];
  /** Writes whose records must be stored as items of their own before the list without them is. */
  moving: RecordedWrite[];
}

export function toStoredWrite(write: RememberedWrite): StoredWrite {
  const plain: PlainWrite = [write.id, write.revision, Date.parse(write.at)];
  if (!isRecord(write)) return plain;
  const { key, change, undone } = write;
  return undone === undefined ? [...plain, key, change] : [...plain, key, change, undone];
}

export function fromStoredWrite([id, revision, at, key, change, undone]: StoredWrite): RememberedWrite {
  const write = { id, revision, at: new Date(at).toISOString() };
  if (key === undefined || change === undefined) return write;
  return { ...write, key, change, ...(undone !== undefined && { undone }) };
}

/**
 * Of the writes without an idempotency key the newest are kept. The others are kept until they expire; when they are too
 * many, the older half moves.
 */
export function rememberWrite(writes: readonly RememberedWrite[], latest: RememberedWrite): RetryList {
  const all = [...writes, latest];
  const plain = all.filter((write) => !isRecord(write)).slice(-limits.rememberedWrites);
  const records = all.filter(isRecord).filter((record) => Date.parse(latest.at) < expiryOf(record));
  const isFull = records.length > limits.rememberedWrites;
  const moving = records.slice(0, isFull ? Math.ceil(limits.rememberedWrites / 2) : 0);
  const kept = new Set([...plain, ...records.slice(moving.length)]);
  return { writes: all.filter((write) => kept.has(write)), moving };
}

/** An undo marks the record of the change that it undoes, wherever that is; undoing the undo removes the mark. */
export function markUndone(
  writes: readonly RememberedWrite[],
  change: Change,
  undo: string,
): RememberedWrite[] {
  const { id, revision, at, key } = change;
  const others = writes.filter((write) => !isRecord(write) || write.change !== id);
  const marked = others.map((write) => (isRecord(write) && write.undone === id ? withoutMark(write) : write));
  return key === undefined ? marked : [{ id, revision, at, key, change: id, undone: undo }, ...marked];
}

function withoutMark({ undone: _, ...record }: RecordedWrite): RecordedWrite {
  return record;
}

export function isRecord(write: RememberedWrite): write is RecordedWrite {
  return "key" in write;
}

/** In milliseconds since 1970. */
export function expiryOf({ at }: RememberedWrite): number {
  return Date.parse(at) + limits.idempotencyHours * 3_600_000;
}
