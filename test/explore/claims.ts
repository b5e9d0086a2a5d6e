/** Compares what a response reports with what was done. */
import type { Effect } from "./ledger.ts";
import { type Attempt, isUnsure, outcomeIn, type Wish } from "./world/wish.ts";

/** Called with the response and again at the end: what it reports as not written must not be written later. */
export function falseClaims(attempt: Attempt, wish: Wish, effects: readonly Effect[]): string[] {
  const wrong: string[] = [];
  const { name, reply } = attempt;
  for (const environment of wish.environments ?? []) {
    const outcome = outcomeIn(attempt, environment);
    const ofWish = effects.filter((one) => one.wish === wish.id && one.environment === environment);
    const own = ofWish.filter((effect) => effect.attempt === name).length;
    // A feature that is made again is another: what was done in the first does not count in it.
    const ofLast = ofWish.filter(({ life }) => life === ofWish.at(-1)?.life);
    const times = wish.isIdempotent ? ofLast.length : own;
    const claim = `${name} received ${reply?.status}, "${outcome}" in ${environment}`;
    const isPatched = outcome === "patched" || outcome === "already patched";
    if (isPatched && times !== 1) wrong.push(`${claim}, and is there ${times} times`);
    const isOpen = isPatched || outcome === "not known" || outcome === "undone";
    if (!isOpen && own > 0) wrong.push(`${claim}, and wrote there`);
    if (outcome === "unchanged" && wish.leavesTrace) wrong.push(`${claim}, and it always changes something`);
    if (own > 1) wrong.push(`${name} wrote ${own} times in ${environment}`);
    const isForbidden = reply?.status === 401 || reply?.status === 403;
    if (isForbidden && own > 0)
      wrong.push(`${name} received ${reply.status}, after it wrote in ${environment}`);
  }
  const isOfFeature = wish.tags || wish.creates || wish.deletes;
  if (!isOfFeature || !reply?.status) return wrong;
  const isApplied = reply.json?.code === "applied";
  const isRefused = reply.status >= 400 && !isApplied && !isUnsure(reply.json);
  const isMade = effects.some((effect) => effect.attempt === name);
  if (isRefused && isMade) wrong.push(`${name} received ${reply.status}, and is there`);
  if (isApplied && !effects.some((effect) => effect.wish === wish.id)) {
    wrong.push(`${name} received that it was applied, and is not there`);
  }
  return wrong;
}
