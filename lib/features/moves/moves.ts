/**
 * Computes which users a change gives something else: another variant, or the feature at all. SDKs put users into buckets,
 * one for the rollout and one for the variants, independent of each other; so it follows from rollouts and weights alone.
 */
import { isDeepStrictEqual } from "node:util";
import { type Aspect, aspects, type EnvironmentContent } from "../model.ts";
import { type Rule, rulesOf } from "./move-rules.ts";
import { type Move, moversOf } from "./movers.ts";

/** What cannot be computed. */
export interface UnknownMove {
  share: null;
  strategy?: string;
  /** The variants whose overrides differ. */
  overrides?: string[];
}

/** Largest first, after what cannot be computed. */
export type Moves = readonly (Move | UnknownMove)[];

/**
 * With constraints or several strategies each is compared by itself, among the users who meet its constraints. A user who
 * gets something else gets it from a strategy that is named: so the shares bound those of the environment.
 */
export function movesBetween(feature: string, before: EnvironmentContent, after: EnvironmentContent): Moves {
  const [had, has] = [rulesOf(feature, before), rulesOf(feature, after)];
  const isComputed = followsFromRules(before, after);
  if (isDeepStrictEqual(had, has) && isComputed) return [];
  const isOn = had.length > 0 || has.length > 0;
  if (!isOn) return [];
  if (!isComputed || before.targeting !== null) return [{ share: null }];
  return largestFirst(isForAll(had) && isForAll(has) ? compare(had[0], has[0]) : compareEach(had, has));
}

/** Whether `rulesOf` takes the aspect into account. */
const isInRules: Readonly<Record<Aspect, boolean>> = {
  enabled: true,
  variants: true,
  strategies: true,
  dependencies: false,
  targeting: false,
};

function followsFromRules(before: EnvironmentContent, after: EnvironmentContent): boolean {
  return aspects.every((aspect) => isInRules[aspect] || isDeepStrictEqual(before[aspect], after[aspect]));
}

/** The share of the environment's users who move, at most; null where it cannot be computed. */
export function movedShare(moves: Moves): number | null {
  let sum = 0;
  for (const { share } of moves) {
    if (share === null) return null;
    sum += share;
  }
  return Math.min(1, round(sum, 9));
}

/** Why more users move than the limit allows; undefined if they do not. */
export function excessOf(moves: Moves, limit: number | undefined): string | undefined {
  if (limit === undefined) return undefined;
  const share = movedShare(moves);
  if (share !== null && share <= limit) return undefined;
  const moved =
    share === null
      ? "It cannot be computed how many users move"
      : `${formatPercent(share)} of the users move`;
  return `${moved}, and Burgee-Most-Moves allows ${formatPercent(limit)}: ${describeMoves(moves)}`;
}

const decimals = 4;
const smallest = 0.0001;

/** With 4 decimals. The share of those who move is never rounded to nothing. */
export function roundMoves(moves: Moves): Moves[number][] {
  return moves.map((move) => (move.share === null ? move : { ...move, share: roundShare(move.share) }));
}

export function roundShare(share: number): number {
  return share > 0 ? Math.max(smallest, round(share, decimals)) : 0;
}

/** For people: "10 % green to red, 5 % blue to green". */
export function describeMoves(moves: Moves): string {
  return moves.map(describeMove).join(", ");
}

function describeMove(move: Moves[number]): string {
  const { strategy } = move;
  const where = strategy === undefined ? "" : ` of strategy "${strategy}"`;
  if (move.share !== null)
    return `${formatPercent(move.share)}${where} ${nameOf(move.from)} to ${nameOf(move.to)}`;
  const { overrides } = move;
  return `unknown${where}${overrides ? ` by the overrides of ${overrides.join(" and ")}` : ""}`;
}

function nameOf(got: Move["from"]): string {
  if (got === null) return "off";
  return got === true ? "on without a variant" : got;
}

export function formatPercent(share: number): string {
  return `${round(roundShare(share) * 100, 2)} %`;
}

function round(value: number, digits: number): number {
  return Math.round(value * 10 ** digits) / 10 ** digits;
}

/** Whether it is for all users, or for none: then shares are of all users. */
function isForAll([first, ...others]: readonly Rule[]): boolean {
  return others.length === 0 && (first === undefined || (first.condition === "" && !first.isCustom));
}

function compareEach(had: readonly Rule[], has: readonly Rule[]): Moves {
  // It is not known how many users meet no constraint.
  if ([...had, ...has].some(({ id }) => id === undefined)) return [{ share: null }];
  const [old, now] = [byId(had), byId(has)];
  const reordered = findReordered(had, has);
  return [...new Set([...old.keys(), ...now.keys()])].flatMap((strategy): Moves => {
    if (reordered.has(strategy)) return [{ strategy, share: null }];
    return compare(old.get(strategy), now.get(strategy)).map((move) => ({ strategy, ...move }));
  });
}

function byId(rules: readonly Rule[]): ReadonlyMap<string, Rule> {
  return new Map(rules.map((rule) => [rule.id ?? "", rule]));
}

/** Strategies that change places, unless what they give is the same: a user may match both. */
function findReordered(had: readonly Rule[], has: readonly Rule[]): ReadonlySet<string | undefined> {
  const now = new Map(has.map((rule, index) => [rule.id, { rule, index }]));
  const reordered = new Set<string | undefined>();
  for (const [index, first] of had.entries()) {
    for (const second of had.slice(index + 1)) {
      const [one, other] = [now.get(first.id), now.get(second.id)];
      if (!one || !other || one.index < other.index) continue;
      const isSame =
        isDeepStrictEqual(first.deal, second.deal) && isDeepStrictEqual(one.rule.deal, other.rule.deal);
      if (!isSame) reordered.add(first.id).add(second.id);
    }
  }
  return reordered;
}

/** Compares one strategy, or the only one. Undefined: there is none, and it gives nothing. */
function compare(had: Rule | undefined, has: Rule | undefined): Moves {
  if (isDeepStrictEqual(had, has)) return [];
  if (had?.isCustom || has?.isCustom) return [{ share: null }];
  if (had && has && had.condition !== has.condition) return [{ share: null }];
  return [...changedOverrides(had, has), ...moversOf(had, has)];
}

/** How many users the overrides concern is not known. If one side gives nothing, all of its users move anyway. */
function changedOverrides(had: Rule | undefined, has: Rule | undefined): Moves {
  if (!had || !has) return [];
  const [old, now] = [had.deal.overrides, has.deal.overrides];
  if (isDeepStrictEqual(old, now)) return [];
  const isIn = (list: typeof old) => {
    const known = new Set(list.map((one) => JSON.stringify(one)));
    return (one: (typeof old)[number]) => known.has(JSON.stringify(one));
  };
  const changed = [...old.filter((one) => !isIn(now)(one)), ...now.filter((one) => !isIn(old)(one))];
  const named = changed.length > 0 ? changed : now;
  return [{ overrides: [...new Set(named.map(({ variant }) => variant))], share: null }];
}

function largestFirst(moves: Moves): Moves {
  const sizeOf = ({ share }: Moves[number]) => share ?? 2;
  return [...moves].sort((left, right) => sizeOf(right) - sizeOf(left));
}
