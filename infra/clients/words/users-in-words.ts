/** Says in one line which users get a feature, for the page's board and the command line. */
import type { ListedStrategy } from "../../../lib/contract/responses/lists.ts";
import { rolloutPercent } from "../../../lib/contract/unleash-rules.ts";
import { activeStrategies } from "../../../lib/features/active-strategies.ts";

/** What restricts which users get a feature that is on; everyone gets it if nothing does. */
interface Restrictions<Strategy> {
  strategies?: readonly Strategy[];
  dependencyCount?: number;
  hasTargeting?: boolean;
}

/** "25 % by userId · 2 constraints"; while the feature is off, "when on: 25 % by userId · 2 constraints" or nothing. */
export function usersInWords(listed: Restrictions<ListedStrategy> & { enabled: boolean }): string {
  const several = (count: number) => `${count} strategies`;
  return usersInState(describeRestrictions(listed, strategyInWords, several), listed.enabled);
}

interface Switchable {
  disabled?: boolean | undefined;
}

/**
 * Says which users get a feature that is on; undefined if nothing restricts them. So does `usersOfOne` for one strategy.
 * Unleash's document lacks a feature that has flagd's logic alone.
 */
export function describeRestrictions<Strategy extends Switchable>(
  { strategies = [], dependencyCount = 0, hasTargeting = false }: Restrictions<Strategy>,
  usersOfOne: (strategy: Strategy) => string | undefined,
  usersOfSeveral: (count: number) => string,
): string | undefined {
  const byStrategies = usersOfStrategies(strategies, usersOfOne, usersOfSeveral);
  const isByLogicAlone = hasTargeting && strategies.length === 0;
  const byOthers = [
    ...(hasTargeting && !isByLogicAlone ? ["in flagd, whom its own logic picks"] : []),
    ...(dependencyCount > 0 ? [`depends on ${countOf(dependencyCount, "feature")}`] : []),
  ];
  if (isByLogicAlone) return ["whom flagd's own logic picks", ...byOthers].join(" · ");
  if (byStrategies === undefined && byOthers.length === 0) return undefined;
  return [byStrategies ?? everyone, ...byOthers].join(" · ");
}

/** Says it by the only active strategy, or by how many are active. */
function usersOfStrategies<Strategy extends Switchable>(
  strategies: readonly Strategy[],
  usersOfOne: (strategy: Strategy) => string | undefined,
  usersOfSeveral: (count: number) => string,
): string | undefined {
  const active = activeStrategies(strategies);
  const [first, ...others] = active;
  if (strategies.length === 0) return undefined;
  if (!first) return "no user, as every strategy is disabled";
  return others.length > 0 ? usersOfSeveral(active.length) : usersOfOne(first);
}

export const everyone = "everyone";

/** Adds the state to `restricted`, which says who gets the feature when it is on, or is undefined for everyone. */
export function usersInState(restricted: string | undefined, enabled: boolean): string {
  if (enabled) return restricted ?? everyone;
  return restricted === undefined ? "" : `when on: ${restricted}`;
}

function strategyInWords({ name, parameters, constraintCount: count }: ListedStrategy): string | undefined {
  const conditions = count === 0 ? "" : countOf(count, "constraint");
  if (name === "default") return conditions || undefined;
  const users =
    name === "userWithId"
      ? countOf(userIdsIn(parameters.userIds).length, "user")
      : name === "flexibleRollout"
        ? rolloutInWords(parameters)
        : name;
  return users + (conditions && ` · ${conditions}`);
}

/** `12 % by userId`. */
export function rolloutInWords({ rollout, stickiness = "default" }: ListedStrategy["parameters"]): string {
  return `${reachedPercent(rollout)} %${stickiness === "default" ? "" : ` by ${stickiness}`}`;
}

/** Returns the percentage of users that a rollout reaches: 0 if it is no number. */
export function reachedPercent(rollout: string | undefined): number {
  return rolloutPercent(rollout) || 0;
}

/** Reads the parameter of a strategy "userWithId" as a list. */
export function userIdsIn(parameter = ""): string[] {
  return parameter.split(",").flatMap((id) => id.trim() || []);
}

/** `1 feature`, `2 features`. */
function countOf(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}

/** `blue 45 %, green 55 %`. The weights of a state file or an import may have any sum. */
export function sharesInWords(
  variants: readonly { name: string; weight: number }[],
  separator = ", ",
): string {
  const total = variants.reduce((sum, { weight }) => sum + weight, 0) || 1;
  const percentage = (weight: number) => Number(((weight / total) * 100).toFixed(1));
  return variants.map(({ name, weight }) => `${name} ${percentage(weight)} %`).join(separator);
}
