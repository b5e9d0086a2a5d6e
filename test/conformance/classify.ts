/** Sorts the cases of a report by what the engine did. */
import path from "node:path";
import type { Report } from "./suite.ts";

/** Cases that fail for another reason than a call of their own. */
const excused = new Set([
  // DescribeTable has no ARN, creation time and sizes, which Burgee does not read: sizes would take a pass over all items.
  "DescribeTable — basic > returns table metadata for a hash-only table",
  // The suite's table has local indexes, with which the engine would refuse it.
  "DescribeTable — basic > returns table metadata for a composite table with indexes",
  // It needs what two cases before it write on conditions that the engine refuses.
  "PutItem — ConditionExpression functions and operators > succeeds when compound AND condition is met",
]);

type Kind = "right" | "refused" | "wrong";

/** A case that fails is refused if the engine refused a call of it; one that did not run, if it refused one of its file. */
export function classify({ testResults }: Report, refusals: ReadonlySet<string>) {
  const counts: Record<string, Record<Kind, number>> = {};
  const wrong: string[] = [];
  for (const { name: file, assertionResults } of testResults) {
    if (assertionResults.length === 0)
      wrong.push(`${path.basename(file)}: it has no cases: it could not be loaded`);
    const [group = ""] = /tier\d\/[\w-]+/.exec(file) ?? [];
    for (const { status, ancestorTitles, title, failureMessages } of assertionResults) {
      const name = [...ancestorTitles, title].join(" > ");
      const isRefused = excused.has(name) || refusals.has(status === "failed" ? name : file);
      const kind = status === "passed" ? "right" : isRefused ? "refused" : "wrong";
      counts[group] ??= { right: 0, refused: 0, wrong: 0 };
      counts[group][kind]++;
      const [why = "it did not run"] = failureMessages.join("\n").split("\n");
      if (kind === "wrong") wrong.push(`${path.basename(file)}: ${name}: ${why}`);
    }
  }
  const total: Record<Kind, number> = { right: 0, refused: 0, wrong: 0 };
  for (const one of Object.values(counts)) {
    for (const kind of ["right", "refused", "wrong"] as const) total[kind] += one[kind];
  }
  return { counts: { ...counts, total }, wrong };
}
