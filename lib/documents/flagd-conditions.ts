/** Translates a strategy of Unleash into a condition of JSON Logic. */
import type { Constraint, Strategy } from "../contract/strategies.ts";
import { rolloutPercent } from "../contract/unleash-rules.ts";

export type Logic = null | boolean | number | string | Logic[] | { [operation: string]: Logic };

/** Thrown where flagd cannot express what a feature has. */
export class Inexpressible extends Error {}

/** Returns undefined if the strategy matches every user. */
export function strategyLogic({ constraints, ...strategy }: Strategy): Logic | undefined {
  const conditions = [...constraints.map(constraintLogic), ...parameterConditions(strategy)];
  if (conditions.length < 2) return conditions[0];
  return { and: conditions };
}

function constraintLogic(constraint: Constraint): Logic {
  const logic = operatorLogic(constraint);
  return constraint.inverted ? { "!": [logic] } : logic;
}

function operatorLogic({
  contextName,
  operator,
  values = [],
  value = "",
  caseInsensitive,
}: Omit<Constraint, "inverted">): Logic {
  const field = attribute(contextName);
  // Unleash's SDKs ignore empty values, and whitespace around the others.
  const given = values.filter((value) => value !== "").map((value) => value.trim());
  if (caseInsensitive && /^STR_/.test(operator))
    throw new Inexpressible(`flagd compares ${operator} with case`);
  switch (operator) {
    case "IN":
      return { in: [field, given] };
    case "NOT_IN":
      return { "!": [{ in: [field, given] }] };
    case "STR_STARTS_WITH":
      return anyOf(given.map((value) => ({ starts_with: [field, value] })));
    case "STR_ENDS_WITH":
      return anyOf(given.map((value) => ({ ends_with: [field, value] })));
    case "STR_CONTAINS":
      return anyOf(given.map((value) => ({ in: [value, field] })));
    case "NUM_EQ":
    case "NUM_GT":
    case "NUM_GTE":
    case "NUM_LT":
    case "NUM_LTE":
      // flagd would compare an absent attribute as 0.
      return {
        and: [{ "!=": [field, null] }, { [comparisons[operator.slice(4)] ?? "=="]: [field, Number(value)] }],
      };
    case "SEMVER_EQ":
    case "SEMVER_GT":
    case "SEMVER_GTE":
    case "SEMVER_LT":
    case "SEMVER_LTE": {
      const comparison = operator === "SEMVER_EQ" ? "=" : (comparisons[operator.slice(7)] ?? "=");
      return { sem_ver: [field, comparison, value] };
    }
    // flagd's time is in whole seconds.
    case "DATE_AFTER":
      return { ">": [{ var: "$flagd.timestamp" }, Math.floor(Date.parse(value) / 1000)] };
    case "DATE_BEFORE":
      return { "<": [{ var: "$flagd.timestamp" }, Math.ceil(Date.parse(value) / 1000)] };
    default:
      throw new Inexpressible(`flagd has no ${operator}`);
  }
}

const comparisons: Readonly<Record<string, string>> = { EQ: "==", GT: ">", GTE: ">=", LT: "<", LTE: "<=" };

function anyOf(conditions: Logic[]): Logic {
  return conditions.length > 0 ? { or: conditions } : { "==": [0, 1] };
}

/**
 * Translates what the parameters require. A rollout has Unleash's share of users, but other users, as flagd's hash
 * differs. A new member of strategies does not compile until it is named here.
 */
function parameterConditions({
  id,
  name,
  parameters,
  title,
  disabled,
  sortOrder,
  variants,
  ...others
}: Omit<Strategy, "constraints">): Logic[] {
  others satisfies Record<string, never>;
  switch (name) {
    case "default":
      return [];
    case "userWithId": {
      const ids = (parameters.userIds ?? "").split(",").map((id) => id.trim());
      return [{ in: [attribute("userId"), ids.filter((id) => id !== "")] }];
    }
    case "flexibleRollout": {
      const { rollout = "0", stickiness = "default", groupId } = parameters;
      const share = rolloutPercent(rollout);
      if (Number.isNaN(share)) throw new Inexpressible("a rollout is no number");
      const by = usesTargetingKey(stickiness) ? { var: "targetingKey" } : attribute(stickiness);
      // `by` as a condition excludes users without the attribute.
      if (share === 100) return usesTargetingKey(stickiness) ? [] : [by];
      // Rollouts have the same seed exactly where Unleash's SDKs put each user into the same bucket (`rolloutSeed` in
      // sdk-rules.ts). It differs from that of the variants, so that these are independent of the rollout.
      const group = (stickiness === "random" ? id : groupId) || { var: "$flagd.flagKey" };
      const seed = { cat: [{ var: "$flagd.flagKey" }, ":", group, ":", by] };
      const isIn = { "==": [{ fractional: [seed, ["in", share], ["out", 100 - share]] }, "in"] };
      return [by, isIn];
    }
    default:
      throw new Inexpressible(`flagd has no strategy ${name}`);
  }
}

/** Whether flagd uses the targeting key. flagd has no random stickiness, so the key is used for that too. */
export function usesTargetingKey(stickiness: string): boolean {
  return stickiness === "default" || stickiness === "random";
}

export function attribute(name: string): { var: string } {
  if (/[.\\]/.test(name)) throw new Inexpressible(`flagd reads "${name}" as a path into the context`);
  return { var: name };
}
