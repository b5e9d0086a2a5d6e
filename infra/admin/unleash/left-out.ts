/** Collects and formats what an import or an export leaves out, and why. */
import { printable } from "../../printable.ts";
import { andMore } from "../terminal/and-more.ts";
import { formatTable } from "../terminal/table.ts";

export interface LeftOut {
  what: string;
  why: string;
  count: number;
  which: string[];
}

export interface Omissions {
  /** The same thing in several files counts once. */
  add(what: string, why: string, which: string): void;
  list(): LeftOut[];
}

export function createOmissions(): Omissions {
  const groups = new Map<string, { what: string; why: string; which: Set<string> }>();
  return {
    add(what, why, which) {
      const id = JSON.stringify([what, why]);
      const group = groups.get(id) ?? { what, why, which: new Set() };
      groups.set(id, group);
      group.which.add(which);
    },
    list: () =>
      [...groups.values()].map(({ what, why, which }) => ({
        what,
        why,
        count: which.size,
        which: [...which],
      })),
  };
}

export function formatLeftOut(all: readonly LeftOut[], title = "left out"): string {
  if (all.length === 0) return "Nothing was left out.";
  const rows = all.map(({ what, why, count, which }) => {
    return [what, String(count), why, andMore(which.map(printable), 3).replaceAll("\n", ", ")];
  });
  return `\n${formatTable([title, "", "why", "which"], rows)}`;
}
