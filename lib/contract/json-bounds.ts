/** Validates JSON of any shape: its size, its depth, and the names of its members. */
import { forbiddenMembers } from "./json-pointer.ts";
import { limits } from "./limits.ts";
import { toIssue, type ValueIssue } from "./validate.ts";

export function findExcess(value: unknown): ValueIssue | undefined {
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

type NameCheck = (member: string, at: readonly PropertyKey[]) => ValueIssue[];

/** Finds what is wrong with what a client sends. */
export function findJsonIssues(value: unknown): ValueIssue[] {
  return firstOf(findIssues(value, [], memberNameIssues));
}

/** Finds what is wrong with what a patch built. Checks no names: each was checked when it was stored or sent. */
export function findBuiltIssues(value: unknown): ValueIssue[] {
  return firstOf(findIssues(value, [], () => []));
}

function firstOf(found: Iterable<ValueIssue>): ValueIssue[] {
  const issues: ValueIssue[] = [];
  for (const issue of found) {
    issues.push(issue);
    if (issues.length === limits.listedIssues) break;
  }
  return issues;
}

/** Never recurses deeper than the limit, whatever the value. */
function* findIssues(
  value: unknown,
  at: readonly PropertyKey[],
  checkName: NameCheck,
): Generator<ValueIssue> {
  if (typeof value === "string") {
    // UTF-8 cannot encode a lone surrogate.
    if (!value.isWellFormed()) yield toIssue(at, "contains a lone surrogate");
  } else if (typeof value === "object" && value !== null) {
    if (at.length >= limits.jsonDepth) {
      yield toIssue(at, `is nested deeper than ${limits.jsonDepth} levels`);
    } else {
      for (const [member, content] of Object.entries(value)) {
        yield* checkName(member, at);
        yield* findIssues(content, [...at, member], checkName);
      }
    }
  }
}

function memberNameIssues(member: string, at: readonly PropertyKey[]): ValueIssue[] {
  return [
    ...(forbiddenMembers.has(member) ? [toIssue([...at, member], "is a forbidden name")] : []),
    ...(member.isWellFormed() ? [] : [toIssue(at, "has a member whose name contains a lone surrogate")]),
  ];
}
