/** Finds weights that are stored as they are given, and that the next patch of their environment changes. */
import { weightTotal } from "../../../../../lib/contract/variants.ts";
import { createOmissions, type Omissions } from "../../../../../lib/documents/omissions.ts";
import { isSharedEvenly } from "../../../../../lib/features/patch/variant-list.ts";
import type { PlannedWrite } from "./plan-writes.ts";

const uneven = `the next patch divides the variable ones evenly, to a sum of ${weightTotal}`;

/** Reports such weights of the lists that are written. */
export function weightHints(writes: readonly PlannedWrite[]): ReturnType<Omissions["list"]> {
  const hints = createOmissions();
  for (const { kind, name, differences, after } of writes) {
    if (kind !== "feature" || !after) continue;
    const written = new Set(differences.map(({ path: [member, of] }) => member === "environments" && of));
    for (const [environment, { variants }] of after.environments) {
      if (!written.has(environment)) continue;
      const where = `${name} in ${environment}`;
      if (!isSharedEvenly(variants)) hints.add({ what: "weights", why: uneven, which: where });
    }
  }
  return hints.list();
}
