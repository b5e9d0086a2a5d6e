/**
 * Finds damage in a folder: LevelDB checks no blocks of its tables as it opens, and drops what it cannot read of its log.
 * Each entry begins with the CRC-32 of its key and its value, and each batch writes the sum over all entries. An entry
 * that is wrong, missing or back after its removal fails one of the two. If a kill tears the last batch, the sum of the
 * batch before it is in effect.
 */
import { readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { crc32 } from "node:zlib";

/** What the folder has is not what was written. */
export class Damaged extends Error {}

const digits = 8;
const toHex = (sum: number) => sum.toString(16).padStart(digits, "0");
const checksumOf = (key: string, text: string) => crc32(text, crc32(key));

export class Checksums {
  readonly #entries = new Map<string, number>();
  /** CRCs are added, as the CRCs of similar entries can cancel out under XOR. */
  #sum = 0;

  get sum(): string {
    return toHex(this.#sum);
  }

  get isEmpty(): boolean {
    return this.#entries.size === 0;
  }

  /** Returns what to write for the value. */
  seal(key: string, text: string): string {
    const checksum = checksumOf(key, text);
    this.#set(key, checksum);
    return toHex(checksum) + text;
  }

  remove(key: string): void {
    this.#set(key, undefined);
  }

  /** Returns the value of an entry that was written. */
  open(key: string, sealed: string): string {
    const text = sealed.slice(digits);
    const checksum = checksumOf(key, text);
    if (toHex(checksum) !== sealed.slice(0, digits)) throw new Damaged();
    this.#set(key, checksum);
    return text;
  }

  #set(key: string, checksum: number | undefined): void {
    this.#sum = (this.#sum - (this.#entries.get(key) ?? 0) + (checksum ?? 0)) >>> 0;
    if (checksum === undefined) this.#entries.delete(key);
    else this.#entries.set(key, checksum);
  }
}

/** Whether LevelDB has a table, or a log with more than a first record that a kill has torn. */
export function hasData(folder: string): boolean {
  const files = readdirSync(folder).map((file) => path.join(folder, file));
  const hasTable = files.some((file) => file.endsWith(".ldb") && sizeOf(file) > 0);
  return hasTable || files.some((file) => file.endsWith(".log") && !isTorn(readIfThere(file)));
}

const sizeOf = (file: string) => statSync(file, { throwIfNoEntry: false })?.size ?? 0;

/** The first batch of a folder creates a table. */
const firstRecord = { headerBytes: 7, lengthAt: 4, mostBytes: 1024 };

/** LevelDB's record begins with a checksum, its length (two bytes, little-endian) and its type. */
function isTorn(log: Buffer): boolean {
  const { headerBytes, lengthAt, mostBytes } = firstRecord;
  if (log.length < headerBytes) return true;
  const length = log.readUInt16LE(lengthAt);
  return length <= mostBytes && log.length < headerBytes + length;
}

/**
 * Whether LevelDB dropped a part of its log as it opened. It does not say so of a last record that a kill has torn. Another
 * process that opens the folder meanwhile moves LOG to LOG.old, before it finds that the folder is locked.
 */
export function hasDropped(folder: string): boolean {
  const logs = ["LOG", "LOG.old"].map((name) => readIfThere(path.join(folder, name)));
  return logs.some((log) => /dropping \d+ bytes/.test(log.toString()));
}

/** Returns no bytes for a file that another process has taken away. */
function readIfThere(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return Buffer.alloc(0);
    throw error;
  }
}
