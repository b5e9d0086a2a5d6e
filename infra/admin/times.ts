/** Parses times and durations of the command line. */
import * as z from "zod/mini";
import { UsageError } from "../refusal.ts";

const time = z.union([z.iso.datetime({ offset: true }), z.iso.date()]);

const unitsMs = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 7 * 86_400_000 };

/** A date alone means midnight UTC. */
export function parseExpiry(text: string): string {
  if (!time.safeParse(text).success) {
    throw new UsageError(`"${text}" is not a time; write it like 2030-01-01 or 2030-01-01T12:00:00Z`);
  }
  if (Date.parse(text) <= Date.now())
    throw new UsageError(`${text} is in the past; the key would never be valid`);
  return text.includes("T") ? text : `${text}T00:00:00Z`;
}

/** At most 9999 weeks: the years of RFC 3339, and so of a state file, have four digits. */
export function parseDuration(text: string): number {
  const [, count, unit] = /^(\d{1,4})([smhdw])$/.exec(text) ?? [];
  if (count === undefined) {
    throw new UsageError(`"${text}" is not a duration; write it like 90s, 30m, 24h, 7d or 2w`);
  }
  return Number(count) * unitsMs[unit as keyof typeof unitsMs];
}
