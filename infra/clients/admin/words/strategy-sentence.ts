/** Says in words for whom a feature is on. */
import type { Constraint, Dependency, Strategy } from "../../../../lib/contract/strategies.ts";
import { operators } from "../../words/operators.ts";
import {
  describeRestrictions,
  everyone,
  rolloutInWords,
  sharesInWords,
  userIdsIn,
  usersInState,
} from "../../words/users-in-words.ts";

const mostValues = 3;

interface Described {
  enabled: boolean;
  strategies: readonly Strategy[];
  /** None where they are listed elsewhere. */
  dependencies?: readonly Dependency[];
  /** flagd's own logic, if there is one. */
  targeting?: unknown;
}

/** `on for 25 %`, `off`, `off (when on: 25 %)`. Describes one strategy in full, and counts several: it fits into a line. */
export function stateInWords({ enabled, strategies, dependencies = [], targeting }: Described): string {
  const restrictions = { strategies, dependencyCount: dependencies.length, hasTargeting: Boolean(targeting) };
  const several = (count: number) => `those whom one of ${count} strategies matches`;
  const users = usersInState(describeRestrictions(restrictions, restrictionSentence, several), enabled);
  if (enabled) return `on for ${users}`;
  return users === "" ? "off" : `off (${users})`;
}

export function strategySentence(strategy: Strategy): string {
  const { title, disabled, variants } = strategy;
  const parts = [
    conditionSentence(strategy),
    ...(variants.length > 0 ? [`with ${sharesInWords(variants)}`] : []),
    ...(title ? [`(${title})`] : []),
    ...(disabled ? ["(disabled)"] : []),
  ];
  return parts.join(" ");
}

/** `only where "parent" is on with blue or red`. */
export function dependencySentence({ feature, enabled = true, variants = [] }: Dependency): string {
  const which = variants.length === 0 ? "" : ` with ${variants.join(" or ")}`;
  return `only where "${feature}" is ${enabled ? "on" : "off"}${which}`;
}

/** Undefined for a strategy that everyone meets. */
function restrictionSentence(strategy: Strategy): string | undefined {
  const isForEveryone = strategy.name === "default" && strategy.constraints.length === 0;
  return isForEveryone ? undefined : conditionSentence(strategy);
}

function conditionSentence({ name, parameters, constraints }: Strategy): string {
  const conditions = constraints.map(constraintInWords).join(" and ");
  return usersOf(name, parameters) + (conditions && ` where ${conditions}`);
}

function usersOf(name: string, parameters: Strategy["parameters"]): string {
  switch (name) {
    case "default":
      return everyone;
    case "flexibleRollout":
      return rolloutInWords(parameters);
    case "userWithId":
      return `the users ${firstOf(userIdsIn(parameters.userIds))}`;
    default:
      return `whom "${name}" matches`;
  }
}

function constraintInWords(constraint: Constraint): string {
  const { contextName, operator, values, value, inverted, caseInsensitive } = constraint;
  const compared = values === undefined ? (value ?? "") : firstOf(values);
  const inCase = caseInsensitive ? " in any case" : "";
  const condition = `${contextName} ${operators[operator] ?? operator} ${compared}${inCase}`;
  return inverted ? `not (${condition})` : condition;
}

function firstOf(values: readonly string[]): string {
  const shown = values.slice(0, mostValues).join(", ");
  const more = values.length - mostValues;
  return more > 0 ? `${shown} and ${more} more` : shown || "none";
}
