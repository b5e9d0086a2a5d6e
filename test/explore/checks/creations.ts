/** Finds what is wrong with a feature that a request creates, and with what others see of it. */

import { environmentTableKey, type FeatureItem } from "../../../lib/store/items/items.ts";
import type { Attempt, Intent } from "../world/intent.ts";
import type { Environment } from "./environment.ts";
import { type Ledger, whichHold } from "./ledger.ts";

/** A creation makes environments. Those of a feature that is there are in use: what was changed in them stays. */
export function wrongCreation({ listed }: Ledger, was: Environment | undefined, is: Environment): string[] {
  const { environment, enabled, variants } = is;
  return whichHold({
    [`replaced ${environment}, which was changed`]:
      was?.carriedNewest !== undefined && listed.includes(environment),
    [`created ${environment} with content`]: enabled || variants.length > 0,
  });
}

/** A feature appears with the environments that its own creation has written, and no other one has replaced. */
export function wrongNewFeature(
  { creations }: Ledger,
  { id }: Intent,
  { environments }: Pick<FeatureItem, "environments">,
): string[] {
  return environments
    .filter((environment) => creations[environmentTableKey("", environment).sk]?.intent !== id)
    .map((environment) => `stored the feature with ${environment} of another creation`);
}

/** A restoration leaves what was written last before the deletion, or, of a first write, what the scenario began with. */
export function wrongRestoration({ newest, creations }: Ledger, environments: readonly string[]): string[] {
  return environments.flatMap((environment) => {
    const { sk } = environmentTableKey("", environment);
    const isSame = newest[sk] === undefined || newest[sk] === creations[sk]?.content;
    return isSame ? [] : `restored ${environment} otherwise than it was left`;
  });
}

/** A feature is there with all of its environments, or not at all. A creation is acknowledged to its creator alone. */
export function unseen({ intent, reply }: Attempt, { isDeleted, creators }: Ledger): string[] {
  const { status, headers = {}, json } = reply ?? {};
  if (!intent || isDeleted) return [];
  const { environments = [], creates, reads } = intent;
  const wrong =
    creates && !creators.includes(intent.id) ? ["received 201, and has not created the feature"] : [];
  const outcomes = status === 200 ? headers["burgee-environments"] : undefined;
  if (!creates && !reads && outcomes === undefined) return wrong;
  const seen: string[] =
    outcomes?.split(", ").map((pair) => pair.split("=")[0] ?? "") ??
    json.environments.map(({ environment }: { environment: string }) => environment);
  // An undo without an environment in its path sees them all, and is to write where its change was made.
  const expected = intent.undoes ? seen.filter((one) => environments.includes(one)) : seen;
  if (String(expected) === String(environments)) return wrong;
  return [...wrong, `saw of the environments ${environments}: ${seen}`];
}
