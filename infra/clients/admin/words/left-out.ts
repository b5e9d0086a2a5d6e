/** Formats what an import or an export leaves out, and why. */
import type { Omissions } from "../../../../lib/documents/omissions.ts";
import { andMore, formatTable } from "../../../cli/output.ts";
import { printable } from "../../../cli/printable.ts";

export function formatLeftOut(all: ReturnType<Omissions["list"]>, title = "left out"): string {
  if (all.length === 0) return "Nothing was left out.";
  const rows = all.map(({ what, why, count, which }) => {
    return [what, String(count), why, andMore(which.map(printable), 3).replaceAll("\n", ", ")];
  });
  return `\n${formatTable([title, "", "why", "which"], rows)}`;
}
