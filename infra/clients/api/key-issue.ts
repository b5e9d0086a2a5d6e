/**
 * Says why a text is no API key, or returns "". For a key that no header can carry, the error of `fetch` would quote the key,
 * or not say what is wrong.
 */
import { keyPattern, minKeyLength } from "../../../lib/contract/limits.ts";

export function keyIssue(key: string): string {
  if (!keyPattern.test(key)) {
    return "The API key has a line break, or a character that no header can carry; copy it again";
  }
  if (key.length >= minKeyLength) return "";
  return `An API key has at least ${minKeyLength} characters, and this has ${key.length}; copy it again`;
}
