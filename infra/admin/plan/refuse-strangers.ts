/** Refuses what would leave a feature without its project, or with an environment that its project does not have. */

import { printable } from "../../printable.ts";
import { Refusal } from "../../refusal.ts";
import { type Contradiction, strangers } from "../../state/contradictions.ts";
import type { WholeFeature } from "../../store/stored.ts";
import { andMore } from "../terminal/and-more.ts";
import type { Target } from "./target.ts";

/** What did not fit together before this change is not refused. */
export function refuseStrangers(now: Target, after: Target): void {
  const before = new Set(strangersOf(now));
  const added = strangersOf(after).filter((line) => !before.has(line));
  if (added.length === 0) return;
  throw new Refusal(`nothing was changed, because it would not fit together:\n${andMore(added, 20, "  ")}`);
}

export function strangersOf({ projects, features }: Target): string[] {
  const list = [...features.values()];
  const found = strangers(
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
