/** Translates a strategy of Unleash into a condition of JSON Logic. */
import type { Constraint, Strategy } from "../contract/strategies.ts";

export type Logic = null | boolean | number | string | Logic[] | { [operation: string]: Logic };

/** Thrown where flagd has no operation for what a feature has. */
export class Inexpressible extends Error {}

/** Returns undefined if the condition always holds. */
export function toCondition(strategy: Strategy): Logic | undefined {
  const conditions = [...strategy.constraints.map(constraintLogic), ...strategyConditions(strategy)];
  if (conditions.length < 2) return conditions[0];
  return { and: conditions };
}

function constraintLogic(constraint: Constraint): Logic {
  const logic = plain(constraint);
  return constraint.inverted ? { "!": [logic] } : logic;
}

function plain({ contextName, operator, values = [], value = "", caseInsensitive }: Constraint): Logic {
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

/** Translates what the strategy requires. A rollout has Unleash's share of users, but other users: flagd's hash differs. */
function strategyConditions({ id, name, parameters }: Strategy): Logic[] {
  switch (name) {
    case "default":
      return [];
    case "userWithId": {
      const ids = (parameters.userIds ?? "").split(",").map((id) => id.trim());
      return [{ in: [attribute("userId"), ids.filter((id) => id !== "")] }];
    }
    case "flexibleRollout": {
      const { rollout = "0", stickiness = "default", groupId = "" } = parameters;
      const share = Math.max(0, Math.min(100, Math.floor(Number(rollout))));
      if (Number.isNaN(share)) throw new Inexpressible("a rollout is no number");
      const by = usesTargetingKey(stickiness) ? { var: "targetingKey" } : attribute(stickiness);
      if (share === 100) return usesTargetingKey(stickiness) ? [] : [by];
      // The seed differs from that of the variants, so that these are independent of the rollout.
      const seed = { cat: [{ var: "$flagd.flagKey" }, `:${groupId}:${id}:`, by] };
      const isIn = { "==": [{ fractional: [seed, ["in", share], ["out", 100 - share]] }, "in"] };
      return [by, isIn];
    }
    default:
      throw new Inexpressible(`flagd has no strategy ${name}`);
  }
}

/** Whether flagd uses the targeting key. It has no random stickiness, so it uses the key for that too. */
export function usesTargetingKey(stickiness: string): boolean {
  return stickiness === "default" || stickiness === "random";
}

export function attribute(name: string): { var: string } {
  if (/[.\\]/.test(name)) throw new Inexpressible(`flagd reads "${name}" as a path into the context`);
  return { var: name };
}
