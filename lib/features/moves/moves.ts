/**
 * Computes what share of the users move: after a change they get another variant, or they get the feature, or they lose
 * it.
 */
import { isDeepStrictEqual } from "node:util";
import { type Aspect, differingAspects, type EnvironmentContent, emptyContent } from "../model.ts";
import { compareRules } from "./compare-rules.ts";
import type { Moves } from "./move-types.ts";
import { type ContentOfRules, type KnownSplits, rulesOf } from "./sdk-rules.ts";

/**
 * Returns no move if each user gets the same as before. If the feature has dependencies, its users are those for whom
 * they are met.
 */
export function movesBetween(feature: string, before: EnvironmentContent, after: EnvironmentContent): Moves {
  const goesBeyondRules = [before, after].some((content) =>
    differsIn(["beyond rules"], emptyContent, content),
  );
  const computeMoves = goesBeyondRules ? movesBeyondRules : movesByRules;
  return computeMoves(feature, before, after);
}

function movesByRules(feature: string, before: EnvironmentContent, after: EnvironmentContent): Moves {
  const [rulesBefore, rulesAfter] = rulesOfBoth(feature, before, after);
  const isOff = rulesBefore.length === 0 && rulesAfter.length === 0;
  if (isOff) return [];
  if (differsIn(["within rules"], before, after)) return [{ share: null }];
  return compareRules(rulesBefore, rulesAfter);
}

function rulesOfBoth(feature: string, before: EnvironmentContent, after: EnvironmentContent) {
  const splits: KnownSplits = new Map();
  return [rulesOf(feature, before, splits), rulesOf(feature, after, splits)] as const;
}

/** No share can be computed, because it is not known which variant the targeting gives to how many users. */
function movesBeyondRules(feature: string, before: EnvironmentContent, after: EnvironmentContent): Moves {
  const isOff = !before.enabled && !after.enabled;
  const isSame =
    !differsIn(["within rules", "beyond rules"], before, after) &&
    isDeepStrictEqual(...rulesOfBoth(feature, before, after)) &&
    isSameForFlagd(before, after);
  return isOff || isSame ? [] : [{ share: null }];
}

/** What flagd's document has of the aspects that are `by rules`, of a feature with targeting. */
const seenByFlagd: Readonly<Record<keyof ContentOfRules, (content: EnvironmentContent) => unknown>> = {
  enabled: ({ enabled }) => enabled,
  // Targeting can give a variant of any weight, even 0.
  variants: ({ variants }) => variants.map(({ name }) => name),
  strategies: ({ strategies }) => strategies,
};

function isSameForFlagd(before: EnvironmentContent, after: EnvironmentContent): boolean {
  return Object.values(seenByFlagd).every((seen) => isDeepStrictEqual(seen(before), seen(after)));
}

/**
 * Whom the aspect concerns:
 *
 *   by rules       the users who move by the rules, which are computed (`rulesOf`)
 *   within rules   some of the users to whom a rule gives the feature. It is not known which
 *   beyond rules   any user while the feature is enabled, even one to whom no rule gives it
 *   no user        the aspect changes nothing of what users get
 */
type Reach = "by rules" | "within rules" | "beyond rules" | "no user";

/** An aspect is `by rules` if `rulesOf` reads it, and no other is: otherwise its moves would be missing. */
const reachOf: Readonly<
  Record<keyof ContentOfRules, "by rules"> &
    Record<Exclude<Aspect, keyof ContentOfRules>, Exclude<Reach, "by rules">>
> = {
  enabled: "by rules",
  variants: "by rules",
  strategies: "by rules",
  dependencies: "within rules",
  targeting: "beyond rules",
};

function differsIn(
  reaches: readonly Reach[],
  before: EnvironmentContent,
  after: EnvironmentContent,
): boolean {
  return differingAspects(before, after).some((aspect) => reaches.includes(reachOf[aspect]));
}
