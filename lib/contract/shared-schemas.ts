/** Schemas that several bodies share: of texts, of integers, of lists and objects of texts, and of members that are dropped. */
import * as z from "zod/mini";
import { limits } from "./limits.ts";

/** Counts code points, as JSON Schema does, because UTF-16 counts an emoji twice. */
export function textOfLength(min: number, max = Number.POSITIVE_INFINITY) {
  const hasLength = (value: string) => {
    // A code point is one or two UTF-16 units, so the length in units decides for most texts.
    if (value.length > 2 * max) return false;
    if (2 * min <= value.length && value.length <= max) return true;
    const length = [...value].length;
    return min <= length && length <= max;
  };
  const facts = { minLength: min, ...(Number.isFinite(max) && { maxLength: max }) };
  return z
    .string()
    .check(z.refine(hasLength, lengthIssue(min, max)))
    .register(z.globalRegistry, facts);
}

function lengthIssue(min: number, max = Number.POSITIVE_INFINITY): string {
  const range = max === Number.POSITIVE_INFINITY ? `at least ${min}` : `${min} to ${max}`;
  return `must have ${range} character${range.endsWith(" 1") ? "" : "s"}`;
}

export function integerUpTo(maximum: number) {
  const isInRange = (value: number) => Number.isInteger(value) && value >= 0 && value <= maximum;
  return z
    .number()
    .check(
      z.refine(isInRange, `must be an integer from 0 to ${maximum}`),
      // Turns JSON's negative zero into zero, as the table does.
      z.overwrite((value) => value + 0),
    )
    .register(z.globalRegistry, { type: "integer", minimum: 0, maximum });
}

export const nonEmptyText = textOfLength(1);

/** A member that is accepted with any value, and ignored. */
export const droppedMember = z.optional(z.unknown());

/**
 * A list of texts, of which there may be thousands. The check stops at the limit of issues, because Zod would describe
 * each one.
 */
export function listOfTexts({ minLength = 0, max }: { minLength?: number; max?: number } = {}) {
  const list = z
    .array(z.unknown())
    .check(...(max === undefined ? [] : [z.maxLength(max, `must have at most ${max} values`)]))
    .check(checkTexts(minLength))
    .register(z.globalRegistry, { items: { type: "string", ...(minLength > 0 && { minLength }) } });
  return list as unknown as z.ZodMiniType<string[], string[]>;
}

/** An object of texts, whose names DynamoDB can store. Its check of the texts stops at the same limit. */
export function recordOfTexts() {
  const record = z
    .record(textOfLength(1, 255), z.unknown())
    .check(checkTexts(0))
    .register(z.globalRegistry, { additionalProperties: { type: "string" } });
  return record as unknown as z.ZodMiniType<Record<string, string>, Record<string, string>>;
}

function checkTexts(minLength: number): z.core.CheckFn<object> {
  return ({ value, issues }) => {
    for (const [at, text] of Object.entries(value)) {
      if (issues.length >= limits.listedIssues) break;
      const path = [Array.isArray(value) ? Number(at) : at];
      if (typeof text !== "string")
        issues.push({ code: "invalid_type", expected: "string", path, input: text });
      else if (text.length < minLength) {
        issues.push({ code: "custom", message: lengthIssue(minLength), path, input: text });
      }
    }
  };
}

export function listOfAtMost<Element extends z.ZodMiniType>(element: Element, max: number, things: string) {
  return z.array(element).check(z.maxLength(max, `must have at most ${max} ${things}`));
}

/**
 * Requires that no two elements of a list have one value of the member. `describe` gets the index of the first element
 * that has it. The check stops at the limit of issues.
 */
export function uniqueBy<Member extends string>(
  member: Member,
  describe: (first: number) => string,
): z.core.CheckFn<readonly Readonly<Record<Member, string>>[]> {
  return ({ value, issues }) => {
    const seen = new Map<string, number>();
    for (const [index, { [member]: input }] of value.entries()) {
      const first = seen.get(input);
      if (first === undefined) seen.set(input, index);
      else if (issues.length < limits.listedIssues)
        issues.push({ code: "custom", input, path: [index, member], message: describe(first) });
    }
  };
}
