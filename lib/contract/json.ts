/** JSON of any shape: JSON Pointers (RFC 6901), the issues at a place, its bounds, and the names of its members. */
import { limits } from "./limits.ts";

export type Json = null | boolean | number | string | Json[] | { [member: string]: Json };

export function isObject(value: Json): value is { [member: string]: Json } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** RFC 6901 section 3: "~" stands only in "~0" and "~1". */
export const pointerPattern = /^(?:\/[^~]*(?:~[01][^~]*)*)?$/;

/** Refused in pointers and as members of a body: these names could reach a prototype. */
export const forbiddenMembers: ReadonlySet<string> = new Set(["__proto__", "constructor", "prototype"]);

/** RFC 6901 section 4: replaces "~1" before "~0", so that "~01" becomes "~1" and not "/". */
export function parsePointer(text: string): string[] {
  const tokens = text.split("/").slice(1);
  if (!text.includes("~")) return tokens;
  return tokens.map((token) => token.replaceAll("~1", "/").replaceAll("~0", "~"));
}

export function formatPointer(path: readonly PropertyKey[]): string {
  return path.map((token) => `/${String(token).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}

/** What is wrong at a place of a value. A function such as `reasonIssue` returns the message alone, or undefined. */
export interface ValueIssue {
  path: string;
  message: string;
}

/** The length of the longest JSON Pointer in an issue. */
export const pointerLength = 500;

/** Cuts the pointer to that of an ancestor where it would be too long or ill-formed. */
export function toIssue(at: readonly PropertyKey[], message: string): ValueIssue {
  let path = "";
  for (const token of at) {
    const longer = path + formatPointer([token]);
    if (longer.length > pointerLength || !longer.isWellFormed()) break;
    path = longer;
  }
  return { path, message };
}

/** Returns an issue if the value has more list elements and members, at all levels, than {@link limits.jsonValues}. */
export function findExcess(value: unknown): ValueIssue | undefined {
  const containers = [value];
  let count = 0;
  for (const container of containers) {
    if (container === null || typeof container !== "object") continue;
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
  } else if (typeof value === "number" && !Number.isFinite(value)) {
    // It would be stored as null.
    yield toIssue(at, "is too large for a number");
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
