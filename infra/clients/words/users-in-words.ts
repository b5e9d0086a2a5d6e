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
  return whenOn(
    describeUsers(listed, strategyInWords, (count) => `${count} strategies`),
    listed.enabled,
  );
}

interface Switchable {
  disabled?: boolean | undefined;
}

/** Says which users get a feature that is on. Unleash's document lacks a feature that has flagd's logic alone. */
export function describeUsers<Strategy extends Switchable>(
  { strategies = [], dependencyCount = 0, hasTargeting = false }: Restrictions<Strategy>,
  usersOfOne: (strategy: Strategy) => string,
  usersOfSeveral: (count: number) => string,
): string {
  const byStrategies = usersOfStrategies(strategies, usersOfOne, usersOfSeveral);
  const isByLogicAlone = hasTargeting && strategies.length === 0;
  return [
    isByLogicAlone ? "whom flagd's own logic picks" : byStrategies,
    ...(hasTargeting && !isByLogicAlone ? ["in flagd, whom its own logic picks"] : []),
    ...(dependencyCount > 0 ? [`depends on ${countOf(dependencyCount, "feature")}`] : []),
  ].join(" · ");
}

/** Says it by the only active strategy, or by how many are active. */
function usersOfStrategies<Strategy extends Switchable>(
  strategies: readonly Strategy[],
  usersOfOne: (strategy: Strategy) => string,
  usersOfSeveral: (count: number) => string,
): string {
  const active = activeStrategies(strategies);
  const [first, ...others] = active;
  if (strategies.length === 0) return everyone;
  if (!first) return "no user, as every strategy is disabled";
  return others.length > 0 ? usersOfSeveral(active.length) : usersOfOne(first);
}

export const everyone = "everyone";

/** While the feature is off, says which users get it when it is on, unless everyone does. */
export function whenOn(users: string, enabled: boolean): string {
  if (enabled) return users;
  return users === everyone ? "" : `when on: ${users}`;
}

function strategyInWords({ name, parameters, constraintCount: count }: ListedStrategy): string {
  const conditions = count === 0 ? "" : countOf(count, "constraint");
  if (name === "default") return conditions || everyone;
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
  // A rollout that is no number reaches no user.
  const percent = rolloutPercent(rollout) || 0;
  return `${percent} %${stickiness === "default" ? "" : ` by ${stickiness}`}`;
}

/** The parameter of a strategy "userWithId" as a list. */
export function userIdsIn(parameter = ""): string[] {
  return parameter.split(",").flatMap((id) => id.trim() || []);
}

/** `1 feature`, `2 features`. */
function countOf(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}
