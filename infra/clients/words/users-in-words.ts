/** Says in one line which users get a feature, for the page's board and the command line. */
import type { ListedStrategy } from "../../../lib/contract/responses/lists.ts";
import { activeStrategies } from "../../../lib/features/active-strategies.ts";

interface ListedEnvironment {
  enabled: boolean;
  /** Absent if everyone gets the feature. */
  strategies?: readonly ListedStrategy[];
}

/** "25 % by userId · 2 constraints"; while the feature is off, "when on: 25 % by userId · 2 constraints" or nothing. */
export function usersInWords({ enabled, strategies = [] }: ListedEnvironment): string {
  return whenOn(
    usersOfStrategies(strategies, strategyInWords, (count) => `${count} strategies`),
    enabled,
  );
}

/** Says which users get a feature that is on, by its only active strategy or by how many are active. */
export function usersOfStrategies<Strategy extends { disabled?: boolean | undefined }>(
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
  const conditions = count === 0 ? "" : `${count} ${count === 1 ? "constraint" : "constraints"}`;
  const { rollout = "100", stickiness = "default", userIds = "" } = parameters;
  if (name === "default") return conditions || everyone;
  if (name === "userWithId") return `${userIds.split(",").filter(Boolean).length} users`;
  const users = name === "flexibleRollout" ? `${rollout} %` : name;
  const sticky = name === "flexibleRollout" && stickiness !== "default" ? ` by ${stickiness}` : "";
  return users + sticky + (conditions && ` · ${conditions}`);
}
