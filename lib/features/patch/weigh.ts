/** About how many bytes DynamoDB stores for a value, by its documented rules for item sizes. */
import { limits } from "../../contract/limits.ts";
import type { Json } from "../json.ts";
import { PatchFault } from "./fault.ts";

const containerBytes = 3;
const elementBytes = 1;
/** Up to 38 digits, two to a byte, and one more; the numbers of variants take far less. */
const numberBytes = 4;

/**
 * `level` is how deep the value stands in its document. Depth is bounded here, as copies of a
 * document into itself double it, and everything that recurses over the document relies on it.
 */
export function weigh(value: Json, level = 0): number {
  if (typeof value === "string") return textBytes(value);
  if (typeof value === "number") return numberBytes;
  if (typeof value !== "object" || value === null) return 1;
  if (level >= limits.jsonDepth) throw new PatchFault(`would nest deeper than ${limits.jsonDepth} levels`);
  let bytes = containerBytes;
  if (Array.isArray(value)) {
    for (const element of value) bytes += elementBytes + weigh(element, level + 1);
  } else {
    for (const member in value) {
      bytes += elementBytes + textBytes(member) + weigh(value[member] ?? null, level + 1);
    }
  }
  return bytes;
}

/** In UTF-8. A call into Node costs more than to look at the characters of a short text. */
function textBytes(text: string): number {
  if (text.length > 32) return Buffer.byteLength(text);
  for (let at = 0; at < text.length; at++) {
    if (text.charCodeAt(at) > 0x7f) return Buffer.byteLength(text);
  }
  return text.length;
}
