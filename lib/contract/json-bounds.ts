/** Validates JSON of any shape: its size, its depth, and the names of its members. */
import { forbiddenMembers } from "./json-pointer.ts";
import { limits } from "./limits.ts";
import { type Issue, toIssue } from "./validate.ts";

export function findExcess(value: unknown): Issue | undefined {
  const containers = [value];
  let count = 0;
  for (const container of containers) {
    if (typeof container !== "object" || container === null) continue;
    const contents = Object.values(container);
    count += contents.length;
    if (count > limits.jsonValues) {
      return toIssue([], `has more than ${limits.jsonValues.toLocaleString("en")} list elements and members`);
    }
    for (const content of contents) containers.push(content);
  }
  return undefined;
}

type NameCheck = (member: string, at: readonly PropertyKey[], issues: Issue[]) => void;

/** Validates what a client sends. */
export function validateJson(value: unknown): Issue[] {
  return findIssues(value, [], [], validateMemberName);
}

/** Validates what a patch built: of names, it has only those that are stored or were validated in the body. */
export function validateBuilt(value: unknown): Issue[] {
  return findIssues(value, [], [], () => {});
}

/** Never recurses deeper than the limit, whatever the value. */
function findIssues(
  value: unknown,
  at: readonly PropertyKey[],
  issues: Issue[],
  checkName: NameCheck,
): Issue[] {
  if (issues.length >= limits.listedIssues) return issues;
  if (typeof value === "string") {
    // UTF-8 cannot encode a lone surrogate.
    if (!value.isWellFormed()) issues.push(toIssue(at, "contains a lone surrogate"));
  } else if (typeof value === "object" && value !== null) {
    if (at.length >= limits.jsonDepth) {
      issues.push(toIssue(at, `is nested deeper than ${limits.jsonDepth} levels`));
    } else {
      for (const [member, content] of Object.entries(value)) {
        checkName(member, at, issues);
        findIssues(content, [...at, member], issues, checkName);
      }
    }
  }
  return issues;
}

function validateMemberName(member: string, at: readonly PropertyKey[], issues: Issue[]): void {
  if (issues.length >= limits.listedIssues) return;
  if (forbiddenMembers.has(member)) issues.push(toIssue([...at, member], "is a forbidden name"));
  if (!member.isWellFormed()) issues.push(toIssue(at, "has a member whose name contains a lone surrogate"));
}
