/** Collects and formats what an import or an export leaves out, and why. */

import { andMore, formatTable } from "../cli/output.ts";
import { printable } from "../cli/printable.ts";

export type Omissions = ReturnType<typeof createOmissions>;

/** The same thing in several files counts once. */
export function createOmissions() {
  const groups = new Map<string, Set<string>>();
  return {
    add(what: string, why: string, which: string): void {
      const id = JSON.stringify([what, why]);
      groups.set(id, (groups.get(id) ?? new Set<string>()).add(which));
    },
    list: () =>
      [...groups].map(([id, which]) => {
        const [what, why]: [string, string] = JSON.parse(id);
        return { what, why, count: which.size, which: [...which] };
      }),
  };
}

export function formatLeftOut(all: ReturnType<Omissions["list"]>, title = "left out"): string {
  if (all.length === 0) return "Nothing was left out.";
  const rows = all.map(({ what, why, count, which }) => {
    return [what, String(count), why, andMore(which.map(printable), 3).replaceAll("\n", ", ")];
  });
  return `\n${formatTable([title, "", "why", "which"], rows)}`;
}
