/** A value against a schema: what it is, or every fault it has, in plain words with JSON Pointers. */
import type * as z from "zod/mini";
import type { Detail } from "./error-body.ts";
import { limits } from "./limits.ts";
import { formatPointer } from "./pointer.ts";

export interface Fault extends Detail {
  path: string;
  message: string;
}

export type Checked<Value> = { value: Value; faults?: never } | { value?: never; faults: Fault[] };

export function check<Value>(
  schema: z.ZodMiniType<Value>,
  input: unknown,
  most: number = limits.faults,
): Checked<Value> {
  const result = schema.safeParse(input, { error: describe });
  if (result.success) return { value: result.data };
  return { faults: result.error.issues.flatMap(toFaults).slice(0, most) };
}

/** A pointer to the place, or to what holds it where member names make the whole pointer too long to send. */
export function fault(place: readonly PropertyKey[], message: string): Fault {
  let path = "";
  for (const token of place) {
    const longer = path + formatPointer([token]);
    if (longer.length > limits.pointerLength) break;
    path = longer;
  }
  return { path, message };
}

/** A sentence that names the first fault, for those who show the message alone. */
export function summarize([first, ...others]: readonly Fault[]): string {
  if (!first) return "";
  const more = others.length === 0 ? "" : ` (and ${others.length} more)`;
  return `${first.path ? `${first.path} ` : "it "}${first.message}${more}`;
}

/** Zod's mini build carries no messages of its own. */
function describe(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.input === undefined) return "is required";
  switch (issue.code) {
    case "invalid_type":
      return `must be ${article(issue.expected)}`;
    case "invalid_value":
      return `must be one of ${issue.values.join(", ")}`;
    case "invalid_key":
      return issue.issues.map(({ message }) => message).at(0);
    default:
      return "is not valid";
  }
}

function toFaults(issue: z.core.$ZodIssue): Fault[] {
  if (issue.code !== "unrecognized_keys") return [fault(issue.path, issue.message)];
  const unknown = issue.keys.slice(0, limits.faults);
  return unknown.map((member) => fault([...issue.path, member], "is not a known member"));
}

function article(type: string): string {
  const names: Record<string, string> = {
    int: "an integer",
    object: "an object",
    record: "an object",
    array: "a list",
  };
  return names[type] ?? `a ${type}`;
}
