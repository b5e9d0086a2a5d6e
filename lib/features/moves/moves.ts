/**
 * Computes what share of the users move: after a change they get another variant, or they get the feature, or they lose
 * it.
 */
import { isDeepStrictEqual } from "node:util";
import { isOn } from "../active-strategies.ts";
import { type Aspect, aspects, differsInAspect, type EnvironmentContent, emptyContent } from "../model.ts";
import { compareRules } from "./compare-rules.ts";
import type { Moves } from "./move-types.ts";
import { type ContentOfRules, type KnownSplits, rulesOf } from "./sdk-rules.ts";

/**
 * The users to whom an aspect can give something else:
 *
 *   by rules     those who move by the rules (`rulesOf`), which are computed
 *   some users   some of those to whom a rule gives the feature. It is not known which
 *   any user     even one to whom no rule gives the feature, while it is on
 *   no user      none. No aspect has this reach yet: it is for one that SDKs do not read
 */
type Reach = "by rules" | "some users" | "any user" | "no user";

/** An aspect is `by rules` exactly if `rulesOf` reads it. If it did not, the moves by the aspect would be missing. */
const reachOf: Readonly<
  Record<keyof ContentOfRules, "by rules"> &
    Record<Exclude<Aspect, keyof ContentOfRules>, Exclude<Reach, "by rules">>
> = {
  enabled: "by rules",
  variants: "by rules",
  strategies: "by rules",
  dependencies: "some users",
  targeting: "any user",
};

/**
 * Returns no move only if each user gets the same as before. Where that is not known, a move has the share null. If the
 * feature has dependencies, its users are those for whom they are met.
 */
export function movesBetween(feature: string, before: EnvironmentContent, after: EnvironmentContent): Moves {
  const reachesAnyUser = hasReach("any user", before) || hasReach("any user", after);
  return reachesAnyUser ? movesByTargeting(feature, before, after) : movesByRules(feature, before, after);
}

/** Whether the content has an aspect of this reach, such as flagd's targeting. */
function hasReach(reach: Reach, content: EnvironmentContent): boolean {
  return differsIn([reach], emptyContent, content);
}

function differsIn(
  reaches: readonly Reach[],
  before: EnvironmentContent,
  after: EnvironmentContent,
): boolean {
  return aspects.some(
    (aspect) => reaches.includes(reachOf[aspect]) && differsInAspect(aspect, before, after),
  );
}

function movesByRules(feature: string, before: EnvironmentContent, after: EnvironmentContent): Moves {
  const [rulesBefore, rulesAfter] = rulesOfBoth(feature, before, after);
  const hasNoUsers = rulesBefore.length === 0 && rulesAfter.length === 0;
  if (hasNoUsers) return [];
  if (differsIn(["some users"], before, after)) return [{ share: null }];
  return compareRules(rulesBefore, rulesAfter);
}

function rulesOfBoth(feature: string, before: EnvironmentContent, after: EnvironmentContent) {
  const splits: KnownSplits = new Map();
  return [rulesOf(feature, before, splits), rulesOf(feature, after, splits)] as const;
}

/** Returns no share, because it is not known which variant the targeting gives to how many users. */
function movesByTargeting(feature: string, before: EnvironmentContent, after: EnvironmentContent): Moves {
  // Targeting ignores rollouts, so a rollout of 0 does not turn the feature off.
  const isOff = !isOn(before) && !isOn(after);
  const isSame =
    !differsIn(["some users", "any user"], before, after) &&
    isDeepStrictEqual(...rulesOfBoth(feature, before, after)) &&
    isDeepStrictEqual(seenByFlagd(before), seenByFlagd(after));
  return isOff || isSame ? [] : [{ share: null }];
}

/** Returns what flagd's document has of a feature with targeting, besides the targeting. */
function seenByFlagd({ enabled, strategies, variants }: ContentOfRules) {
  // Targeting can give a variant of any weight, even 0.
  return { isOn: isOn({ enabled, strategies }), variants: variants.map(({ name }) => name) };
}
