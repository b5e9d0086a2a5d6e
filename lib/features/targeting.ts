/** Turns the targeting of flagd into the text that is stored, and back. */
import type { Targeting } from "../contract/strategies.ts";

export function parseTargeting(text: string | null): Targeting | null {
  return text === null ? null : JSON.parse(text);
}

export function formatTargeting(targeting: Targeting | null): string | null {
  return targeting === null ? null : JSON.stringify(targeting);
}
