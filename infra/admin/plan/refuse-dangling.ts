/** Refuses a target in which a feature lacks its project, or has an environment that its project lacks. */

import { printable } from "../../printable.ts";
import { Refusal } from "../../refusal.ts";
import { type Contradiction, danglingReferences } from "../../state/contradictions.ts";
import type { WholeFeature } from "../../store/stored.ts";
import { andMore } from "../terminal/and-more.ts";
import type { Content } from "./content.ts";

/** References that were dangling before this change are accepted. */
export function refuseDangling(now: Content, after: Content): void {
  const before = new Set(danglingIn(now));
  const added = danglingIn(after).filter((line) => !before.has(line));
  if (added.length === 0) return;
  throw new Refusal(
    `nothing was changed, because the result would be inconsistent:\n${andMore(added, 20, "  ")}`,
  );
}

export function danglingIn({ projects, features }: Content): string[] {
  const list = [...features.values()];
  const found = danglingReferences(
    [...projects].map(([id, environments]) => ({ id, environments })),
    list.map(({ name, project, environments }) => ({
      name,
      project,
      environments: Object.fromEntries(environments),
    })),
  );
  return [...found].map((contradiction) => format(list, contradiction));
}

function format(features: readonly WholeFeature[], { path, message }: Contradiction): string {
  const [, index, member, environment] = path;
  const what = member === "project" ? "its project" : `environment "${String(environment)}"`;
  return printable(`feature "${features[Number(index)]?.name}": ${what} ${message}`);
}
