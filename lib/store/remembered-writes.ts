/**
 * What an environment's item remembers of its last writes: their ids, by which a write that the SDK retries is
 * recognised, and the idempotency records of requests that a caller may retry. Both are packed into bytes, so that a
 * small environment stays below the 1 KB of one write unit.
 */
import { limits } from "../contract/limits.ts";
import type { IdempotencyRecord, IdempotentRequest } from "../features/feature.ts";
import type { EnvironmentItem } from "./items.ts";

/** Handed to the domain with an environment's state, and back with a write. */
export interface Memory {
  writes: Uint8Array;
  records: readonly IdempotencyRecord[];
  /** The revision in which records last moved to items of their own, if any did. */
  movedAt: number | undefined;
  bornUid: string | undefined;
}

const idBytes = 8;
const recordBytes = 24;

/**
 * The first release stored both as text. Any write packs the ids; one with an idempotency key packs the records. Its
 * code, run beside this release or after a rollback, adds text ids to `writes`, and its records in `keyed`.
 */
type RememberedAttributes = Pick<
  EnvironmentItem,
  "writes" | "idempotency" | "idempotencyMoved" | "keyed" | "bornUid"
>;

export function toMemory(item: RememberedAttributes): Memory {
  const { writes, idempotency, idempotencyMoved, keyed, bornUid } = item;
  return {
    writes: Array.isArray(writes) ? packIds(writes) : writes,
    records: [...unpackRecords(idempotency), ...(keyed ?? []).map(fromFirstRelease)],
    movedAt: idempotencyMoved,
    bornUid,
  };
}

export function hasWrite({ writes }: Memory, id: string): boolean {
  const ours = packId(id);
  for (let at = 0; at < writes.length; at += idBytes) {
    if (ours.equals(writes.subarray(at, at + idBytes))) return true;
  }
  return false;
}

export function rememberWrite({ writes }: Pick<Memory, "writes">, id: string): Uint8Array {
  return Buffer.concat([writes, packId(id)]).subarray(-limits.rememberedWrites * idBytes);
}

export interface RememberedRecords {
  records: Uint8Array;
  /** Records that must be stored as items of their own before these records are. */
  moving: readonly IdempotencyRecord[];
}

/** Expired records make room first; if there are none, the older half moves to items of their own. */
export function rememberRecord(
  { records }: Memory,
  request: IdempotentRequest,
  revision: number,
): RememberedRecords {
  const writtenAt = Math.floor(Date.now() / 1000);
  const isFull = records.length >= limits.rememberedWrites;
  const kept = isFull ? records.filter((record) => writtenAt < expiryOf(record)) : records;
  const moving = kept.slice(0, kept.length < limits.rememberedWrites ? 0 : limits.rememberedWrites / 2);
  const record = { ...request, revision, writtenAt };
  return { records: Buffer.concat([...kept.slice(moving.length), record].map(packRecord)), moving };
}

/** In seconds since 1970. */
export function expiryOf({ writtenAt }: IdempotencyRecord): number {
  return writtenAt + limits.idempotencyHours * 3600;
}

export function packRecord({ key, request, revision, writtenAt }: IdempotencyRecord): Buffer {
  const numbers = Buffer.alloc(recordBytes - 2 * idBytes);
  numbers.writeUInt32BE(revision);
  numbers.writeUInt32BE(writtenAt, 4);
  return Buffer.concat([packId(key), packId(request), numbers]);
}

export function unpackRecords(bytes: Uint8Array = new Uint8Array()): IdempotencyRecord[] {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  return Array.from({ length: bytes.length / recordBytes }, (_, index) => {
    const at = index * recordBytes;
    return {
      key: buffer.toString("base64url", at, at + idBytes),
      request: buffer.toString("base64url", at + idBytes, at + 2 * idBytes),
      revision: buffer.readUInt32BE(at + 2 * idBytes),
      writtenAt: buffer.readUInt32BE(at + 2 * idBytes + 4),
    };
  });
}

/** Bytes in the list may be of ids that are cut off. */
function packIds(ids: readonly (string | number)[]): Buffer {
  return Buffer.concat(ids.filter((id) => typeof id === "string").map(packId));
}

function packId(id: string): Buffer {
  const bytes = Buffer.alloc(idBytes);
  Buffer.from(id, "base64url").copy(bytes);
  return bytes;
}

/**
 * The first release's fingerprint of a request had no path and no form, so a retry across the two releases gets 409.
 * A record of it has no time: its age counts from when it is packed.
 */
function fromFirstRelease(text: string): IdempotencyRecord {
  const [key = "", request = ""] = text.split(".").map((id) => packId(id).toString("base64url"));
  return { key, request, revision: 0, writtenAt: Math.floor(Date.now() / 1000) };
}
