/** Validates a value against a schema. */
import type * as z from "zod/mini";
import { parsePointer, toIssue, type ValueIssue } from "./json.ts";
import { limits } from "./limits.ts";

export type Validated<Value> = { value: Value; issues?: never } | { value?: never; issues: ValueIssue[] };

/** Zod looks for every issue, however many there are. What clients send is therefore bounded by `findExcess`. */
export function validate<Value>(schema: z.ZodMiniType<Value>, input: unknown): Validated<Value> {
  const result = schema.safeParse(input, { error: messageOf });
  if (result.success) return { value: result.data };
  const { issues } = result.error;
  const ordered = moveToFront(issues, ({ code }) => code === "unrecognized_keys");
  return { issues: ordered.slice(0, limits.listedIssues).flatMap(toIssues).slice(0, limits.listedIssues) };
}

const unknownMember = "is not a known member";

/** Puts unknown members first, because an unknown member is often a required one, misspelt. */
export function unknownMembersFirst(issues: readonly ValueIssue[]): ValueIssue[] {
  return moveToFront(issues, ({ message }) => message === unknownMember);
}

function moveToFront<Element>(all: readonly Element[], isFirst: (element: Element) => boolean): Element[] {
  return [...all.filter(isFirst), ...all.filter((element) => !isFirst(element))];
}

/** Sums the issues up in one message, because some clients show nothing else of an error. */
export function summarise([first, ...others]: readonly ValueIssue[]): string {
  if (!first) return "";
  const [second, ...rest] = others;
  if (!second) return describeIssue(first);
  if (rest.length === 0) return `${describeIssue(first)}; ${describeIssue(second)}`;
  return `${describeIssue(first)} (and ${others.length} more issues)`;
}

function describeIssue({ path, message }: ValueIssue): string {
  return `${path || "it"} ${message}`;
}

/** Puts the pointer to a member before those of its issues, so that they begin at the object that has the member. */
export function issuesUnder(member: string, issues: readonly ValueIssue[] = []): ValueIssue[] {
  return issues.map(({ path, message }) => toIssue([member, ...parsePointer(path)], message));
}

function toIssues(issue: z.core.$ZodIssue): ValueIssue[] {
  if (issue.code !== "unrecognized_keys") return [toIssue(issue.path, issue.message)];
  const unknown = issue.keys.slice(0, limits.listedIssues);
  return unknown.map((member) => toIssue([...issue.path, member], unknownMember));
}

/** Supplies the messages that Zod's mini build lacks. */
function messageOf(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.input === undefined) return "is required";
  switch (issue.code) {
    case "invalid_type":
      return `must be ${withArticle(issue.expected)}`;
    case "invalid_value":
      return `must be ${issue.values.length > 1 ? "one of " : ""}${issue.values.join(", ")}`;
    case "invalid_key":
      return issue.issues.map(({ message }) => message).at(0);
    default:
      return "is not valid";
  }
}

function withArticle(type: string): string {
  const names: Record<string, string> = {
    int: "an integer",
    object: "an object",
    record: "an object",
    array: "a list",
  };
  return names[type] ?? `a ${type}`;
}
