/**
 * Computes what share of the users move: after a change they get another variant, or they get the feature, or they lose
 * it. A user's bucket for the rollout and the bucket for the variants are independent, so rollouts and weights alone
 * give the shares.
 */
import { isDeepStrictEqual } from "node:util";
import { type Aspect, differingAspects, type EnvironmentContent, emptyContent } from "../model.ts";
import { type Move, movesBetweenRules, type SmallerMoves } from "./bucket-arithmetic.ts";
import { type ContentOfRules, mergeRules, type Rule, rulesOf } from "./move-rules.ts";

/** A move whose share is not known. Perhaps no user moves. */
interface UnknownMove {
  share: null;
  strategy?: string;
  /** The variants whose overrides differ. */
  overrides?: string[];
}

/** Moves whose share is not known come first, then the largest. */
export type Moves = readonly (Move | UnknownMove | SmallerMoves)[];

/**
 * Returns no move if each user gets the same as before. If the feature has dependencies, its users are those for whom
 * they are met.
 */
export function movesBetween(feature: string, before: EnvironmentContent, after: EnvironmentContent): Moves {
  if (differingAspects(before, after).length === 0) return [];
  const goesBeyondRules = [before, after].some((content) =>
    differsIn(["beyond rules"], emptyContent, content),
  );
  return (goesBeyondRules ? movesBeyondRules : movesByRules)(feature, before, after);
}

function movesByRules(feature: string, before: EnvironmentContent, after: EnvironmentContent): Moves {
  const [rulesBefore, rulesAfter] = [rulesOf(feature, before), rulesOf(feature, after)];
  const isOff = rulesBefore.length === 0 && rulesAfter.length === 0;
  if (isOff) return [];
  if (differsIn(["within rules"], before, after)) return [{ share: null }];
  // `compareRules` would return the same, but takes many times as long.
  if (isDeepStrictEqual(rulesBefore, rulesAfter)) return [];
  return sortByShare(compareRules(rulesBefore, rulesAfter));
}

/** No share can be computed, because it is not known which variant the targeting gives to how many users. */
function movesBeyondRules(feature: string, before: EnvironmentContent, after: EnvironmentContent): Moves {
  const isOff = !before.enabled && !after.enabled;
  const isSame =
    !differsIn(["within rules", "beyond rules"], before, after) &&
    isDeepStrictEqual(rulesOf(feature, before), rulesOf(feature, after)) &&
    isSameForFlagd(before, after);
  return isOff || isSame ? [] : [{ share: null }];
}

/** What flagd's document has of a feature with targeting, by aspect. */
const seenByFlagd: Readonly<Record<Aspect, (content: EnvironmentContent) => unknown>> = {
  enabled: ({ enabled }) => enabled,
  // Targeting can give a variant of any weight, even 0.
  variants: ({ variants }) => variants.map(({ name }) => name),
  strategies: ({ strategies }) => strategies,
  dependencies: () => undefined,
  targeting: ({ targeting }) => targeting,
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
type Reach = "by rules" | OtherReach;
type OtherReach = "within rules" | "beyond rules" | "no user";

/** An aspect is `by rules` if `rulesOf` reads it, and no other is: otherwise its moves would be missing. */
const reachOf: Readonly<
  Record<keyof ContentOfRules, "by rules"> & Record<Exclude<Aspect, keyof ContentOfRules>, OtherReach>
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

/**
 * Compares the rules in one of two ways:
 *
 *   as one        if one rule gives each user the same as all rules: the shares are exact, and of all users
 *   by strategy   otherwise: each strategy by itself, among the users who meet its constraints
 *
 * By strategy, the sum of the shares is an upper bound of the share of the environment's users, because each user who
 * moves is in a move of a strategy that decides for this user before or after. For example, the rollout of s1 shrinks,
 * and s2 decides for some users of s1: these are in the move of s1.
 */
function compareRules(before: readonly Rule[], after: readonly Rule[]): Moves {
  const [mergedBefore, mergedAfter] = [mergeRules(before), mergeRules(after)];
  const isOfAll = isForAll(mergedBefore) && isForAll(mergedAfter);
  return isOfAll ? compareAsOne(mergedBefore, mergedAfter) : compareByStrategy(before, after);
}

/** Whether there is at most one rule, and all users meet its constraints. */
function isForAll(rules: readonly Rule[]): boolean {
  return rules.length < 2 && rules.every(({ condition, isOpaque }) => condition === "" && !isOpaque);
}

/** Compares two rules, of which one may be absent. Their ids do not matter. */
function compareAsOne(before: readonly Rule[], after: readonly Rule[]): Moves {
  return pairRules(before, after, () => "").flatMap(([before, after]) => comparePair(before, after));
}

function compareByStrategy(before: readonly Rule[], after: readonly Rule[]): Moves {
  // A feature without strategies is on for everyone: how many of these meet the constraints of a strategy is not known.
  if ([...before, ...after].some(({ id }) => id === undefined)) return [{ share: null }];
  const reordered = findReordered(before, after);
  return pairRules(before, after, ({ id }) => id).flatMap(([before, after]): Moves => {
    const { id: strategy = "" } = before;
    if (reordered.has(strategy)) return [{ strategy, share: null }];
    return comparePair(before, after).map((move) => ({ strategy, ...move }));
  });
}

/** Pairs the rules of one id. A rule that is absent before or after is paired with itself, with a rollout of 0. */
function pairRules(
  before: readonly Rule[],
  after: readonly Rule[],
  idOf: (rule: Rule) => string | undefined,
): (readonly [Rule, Rule])[] {
  const toEntries = (rules: readonly Rule[]) => rules.map((rule) => [idOf(rule), rule] as const);
  const [rulesBefore, rulesAfter] = [new Map(toEntries(before)), new Map(toEntries(after))];
  const absent = (rule: Rule) => ({ ...rule, rollout: 0 });
  return [
    ...before.map((rule) => [rule, rulesAfter.get(idOf(rule)) ?? absent(rule)] as const),
    ...after.filter((rule) => !rulesBefore.has(idOf(rule))).map((rule) => [absent(rule), rule] as const),
  ];
}

/**
 * Finds the strategies that change places, such as a and b if [a, b] becomes [b, a]: a user who matches both may get
 * something else. Leaves out a pair of strategies that split their users in the same way, before and after.
 */
function findReordered(before: readonly Rule[], after: readonly Rule[]): ReadonlySet<string | undefined> {
  const places = new Map(after.map((rule, index) => [rule.id, { rule, index }]));
  const reordered = new Set<string | undefined>();
  for (const [index, first] of before.entries()) {
    for (const second of before.slice(index + 1)) {
      const [firstAfter, secondAfter] = [places.get(first.id), places.get(second.id)];
      if (!firstAfter || !secondAfter || firstAfter.index < secondAfter.index) continue;
      const isSame =
        isDeepStrictEqual(first.split, second.split) &&
        isDeepStrictEqual(firstAfter.rule.split, secondAfter.rule.split);
      if (!isSame) reordered.add(first.id).add(second.id);
    }
  }
  return reordered;
}

function comparePair(before: Rule, after: Rule): Moves {
  if (isDeepStrictEqual(before, after)) return [];
  const isKnown = !before.isOpaque && !after.isOpaque && before.condition === after.condition;
  if (!isKnown) return [{ share: null }];
  return [
    ...movesByOverrides(before.split.overrides, after.split.overrides),
    ...movesBetweenRules(before, after),
  ];
}

/** It is not known how many users match an override. */
function movesByOverrides(before: Overrides, after: Overrides): Moves {
  if (isDeepStrictEqual(before, after)) return [];
  const differing = [...subtract(before, after), ...subtract(after, before)];
  // If no override differs, their order does.
  const named = differing.length > 0 ? differing : after;
  return [{ overrides: [...new Set(named.map(({ variant }) => variant))], share: null }];
}

type Overrides = Rule["split"]["overrides"];

function subtract(overrides: Overrides, others: Overrides): Overrides {
  const known = new Set(others.map((override) => JSON.stringify(override)));
  return overrides.filter((override) => !known.has(JSON.stringify(override)));
}

function sortByShare(moves: Moves): Moves {
  const sizeOf = ({ share }: Moves[number]) => share ?? 2;
  return [...moves].sort((left, right) => sizeOf(right) - sizeOf(left));
}
