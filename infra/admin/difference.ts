/** Formats what a change does in an environment, for people. */
import type { DifferenceOperation } from "../../lib/contract/responses.ts";
import { printable } from "../cli/printable.ts";

interface Changed {
  environment: string;
  /** Absent where it failed. */
  difference?: readonly DifferenceOperation[];
}

/** `production: on, replace /variants/blue/weight 500`. */
export function formatIn({ environment, difference = [] }: Changed): string {
  const operations = difference.map(formatOperation).join(", ");
  return printable(`${environment}: ${operations || "no difference"}`);
}

function formatOperation({ op, path, value }: DifferenceOperation): string {
  if (path === "/enabled") return value === true ? "on" : "off";
  return [op, path, ...(value === undefined ? [] : [JSON.stringify(value)])].join(" ");
}
