/** Formats what a change does in an environment, for people. */
import type { DifferenceOperation } from "../../lib/contract/responses.ts";
import { printable } from "../cli/printable.ts";

interface Changed {
  environment: string;
  /** Absent where it failed. */
  difference?: readonly DifferenceOperation[];
}

/** `production: on, replace /variants/blue/weight 500 (was 250)`. */
export function formatIn({ environment, difference = [] }: Changed): string {
  const operations = difference.map(formatOperation).join(", ");
  return printable(`${environment}: ${operations || "no difference"}`);
}

function formatOperation({ op, path, value, was }: DifferenceOperation): string {
  if (path === "/enabled") return value === true ? "on" : "off";
  const values = value === undefined ? [] : [JSON.stringify(value)];
  return [op, path, ...values, ...(was === undefined ? [] : [`(was ${JSON.stringify(was)})`])].join(" ");
}
