/** Refuses what would leave a feature without its project, or with an environment that its project does not have. */

import { Refusal } from "../../refusal.ts";
import { type Contradiction, strangers } from "../../state/contradictions.ts";
import type { WholeFeature } from "../../store/stored.ts";
import { andMore } from "../terminal/and-more.ts";
import type { Target } from "./target.ts";

/** What is so already is not the fault of this change. */
export function refuseStrangers(now: Target, after: Target): void {
  const before = new Set(strangersOf(now));
  const faults = strangersOf(after).filter((fault) => !before.has(fault));
  if (faults.length === 0) return;
  throw new Refusal(`nothing was changed, because it would not fit together:\n${andMore(faults, 20, "  ")}`);
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
  return [...found].map((contradiction) => tell(list, contradiction));
}

function tell(features: readonly WholeFeature[], { path, message }: Contradiction): string {
  const [, index, member, environment] = path;
  const what = member === "project" ? "its project" : `environment "${String(environment)}"`;
  return `feature "${features[Number(index)]?.name}": ${what} ${message}`;
}
