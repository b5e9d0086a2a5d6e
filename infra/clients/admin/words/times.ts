/** Parses times and durations of the command line. */
import * as z from "zod/mini";
import { UsageError } from "../../../cli/refusal.ts";

const time = z.union([z.iso.datetime({ offset: true }), z.iso.date()]);

const duration = /^(\d{1,4})([smhdw])$/;

const unitsMs = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 7 * 86_400_000 };

/** Parses a time. A date alone means midnight UTC. */
function parseTime(text: string, forms = ""): string {
  if (!time.safeParse(text).success) {
    throw new UsageError(`"${text}" is not a time; write it like ${forms}2030-01-01 or 2030-01-01T12:00:00Z`);
  }
  return text.includes("T") ? text : `${text}T00:00:00Z`;
}

export function parseExpiry(text: string): string {
  const expiry = parseTime(text);
  if (Date.parse(expiry) > Date.now()) return expiry;
  throw new UsageError(`${text} is in the past; the key would never be valid`);
}

/** Parses a time, or a duration before now. */
export function parseSince(text: string): string {
  const isDuration = duration.test(text);
  return isDuration ? new Date(Date.now() - parseDuration(text)).toISOString() : parseTime(text, "1h, 7d, ");
}

/** Parses a duration of at most 9999 weeks: the years of RFC 3339, and so of a state file, have four digits. */
export function parseDuration(text: string): number {
  const [, count, unit] = duration.exec(text) ?? [];
  if (count === undefined) {
    throw new UsageError(`"${text}" is not a duration; write it like 90s, 30m, 24h, 7d or 2w`);
  }
  return Number(count) * unitsMs[unit as keyof typeof unitsMs];
}
