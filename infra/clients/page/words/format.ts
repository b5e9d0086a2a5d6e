/** Formats shares, lists of names, values of constraints, and times. */
import type { ShownStrategy } from "../requests/shown.ts";

export function percent(share: number): string {
  return `${Number((share * 100).toFixed(1))} %`;
}

const list = new Intl.ListFormat("en");
export const listOf = (names: readonly string[]) => list.format(names);

/** "production", "development and staging" or "all 3 environments". */
export function placeInWords(names: readonly string[], all: number): string {
  return names.length > 1 && names.length === all ? `all ${all} environments` : listOf(names);
}

/** How many values of a constraint are listed. */
const mostValues = 6;
const either = new Intl.ListFormat("en", { type: "disjunction" });

/** "DE, AT or CH" */
export function constraintValues({ values, value = "" }: ShownStrategy["constraints"][number]): string {
  if (!values) return value;
  const more = values.length - mostValues;
  return either.format(
    more > 1 ? [...values.slice(0, mostValues), `${more} more`] : values.length ? values : ["none"],
  );
}

/** "2 h ago" */
export function ago(time: string, now: number): string {
  const seconds = Math.max(0, Math.round((now - Date.parse(time)) / 1000));
  if (seconds < 2) return "just now";
  if (seconds < 60) return `${seconds} s ago`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ago`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)} h ago`;
  const days = Math.floor(seconds / 86_400);
  return days === 1 ? "yesterday" : `${days} days ago`;
}

/** "14 minutes ago", in a sentence. */
export function agoInWords(time: string, now: number): string {
  return ago(time, now)
    .replace(" s ", " seconds ")
    .replace(/^1 min /, "1 minute ")
    .replace(" min ", " minutes ")
    .replace(/^1 h /, "1 hour ")
    .replace(" h ", " hours ");
}
