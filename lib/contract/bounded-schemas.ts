/** Schemas of bounded lists, and of texts whose length is counted in code points. */
import * as z from "zod/mini";
import { limits } from "./limits.ts";

/** Counts code points, as JSON Schema does, because UTF-16 counts an emoji twice. */
export function textOfLength(least: number, most = Number.POSITIVE_INFINITY) {
  const hasLength = (value: string) => {
    // A code point is one or two UTF-16 units, so the length in units decides for most texts.
    if (value.length > 2 * most) return false;
    if (2 * least <= value.length && value.length <= most) return true;
    const length = [...value].length;
    return least <= length && length <= most;
  };
  const facts = { minLength: least, ...(Number.isFinite(most) && { maxLength: most }) };
  return z
    .string()
    .check(z.refine(hasLength, lengthIssue(least, most)))
    .register(z.globalRegistry, facts);
}

function lengthIssue(least: number, most = Number.POSITIVE_INFINITY): string {
  const range = most === Number.POSITIVE_INFINITY ? `at least ${least}` : `${least} to ${most}`;
  return `must have ${range} character${range.endsWith(" 1") ? "" : "s"}`;
}

/**
 * A list of texts, of which there may be thousands. The check stops at the limit of issues, because Zod would describe
 * each one.
 */
export function listOfTexts({ minLength = 0, most }: { minLength?: number; most?: number } = {}) {
  const list = z
    .array(z.unknown())
    .check(...(most === undefined ? [] : [z.maxLength(most, `must have at most ${most} values`)]))
    .check(checkTexts(minLength))
    .register(z.globalRegistry, { items: { type: "string", ...(minLength > 0 && { minLength }) } });
  return list as unknown as z.ZodMiniType<string[], string[]>;
}

/** An object whose members have any names and are texts. Its check stops at the same limit. */
export function recordOfTexts() {
  const record = z
    .record(z.string(), z.unknown())
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

export function listOfAtMost<Element extends z.ZodMiniType>(element: Element, most: number, things: string) {
  return z.array(element).check(z.maxLength(most, `must have at most ${most} ${things}`));
}
