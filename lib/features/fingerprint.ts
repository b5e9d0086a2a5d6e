/** A short text that stands for a value: the same for the same value, another for another. */
import { createHash } from "node:crypto";

/** 96 bits: nobody finds two values with the same one by chance. */
export function fingerprint(...value: unknown[]): string {
  return createHash("sha256").update(JSON.stringify(value)).digest("base64url").slice(0, 16);
}
