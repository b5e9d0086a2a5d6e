/** Makes ids, and hashes that identify a value. */
import { createHash, randomBytes } from "node:crypto";

export const idBytes = 8;

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
