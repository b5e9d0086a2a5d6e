/** Puts the operators of constraints into words, for the page and the command line. */
import type { Constraint } from "../../../lib/contract/strategies.ts";

export const operators: Readonly<Record<Constraint["operator"], string>> = {
  IN: "is",
  NOT_IN: "is not",
  STR_STARTS_WITH: "starts with",
  STR_ENDS_WITH: "ends with",
  STR_CONTAINS: "contains",
  IN_CIDR: "is in",
  NUM_EQ: "=",
  NUM_GT: ">",
  NUM_GTE: "≥",
  NUM_LT: "<",
  NUM_LTE: "≤",
  DATE_AFTER: "is after",
  DATE_BEFORE: "is before",
  SEMVER_EQ: "is version",
  SEMVER_GT: "is a version above",
  SEMVER_GTE: "is a version from",
  SEMVER_LT: "is a version below",
  SEMVER_LTE: "is a version up to",
  REGEX: "matches",
};

/** Whether the operator compares with the one `value` of its constraint, not with its `values`. */
export function takesOneValue(operator: Constraint["operator"]): boolean {
  return /^(NUM|DATE|SEMVER)_|^REGEX$/.test(operator);
}
