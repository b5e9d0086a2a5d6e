/** Formats what a change does in an environment, for people. */
import type { DifferenceOperation } from "../../lib/contract/responses.ts";
import { printable } from "../cli/printable.ts";

interface Changed {
  environment: string;
  difference?: readonly DifferenceOperation[];
  patch?: readonly DifferenceOperation[];
  changes?: readonly DifferenceOperation[];
  enabled?: boolean;
}

/** `production: on, replace /variants/blue/weight 500`. */
export function formatIn(changed: Changed): string {
  const operations = differenceOf(changed).map(formatOperation).join(", ");
  return printable(`${changed.environment}: ${operations || "no difference"}`);
}

function differenceOf({ difference, patch, changes = [], enabled }: Changed): readonly DifferenceOperation[] {
  const switched: DifferenceOperation[] =
    enabled === undefined ? [] : [{ op: "replace", path: "/enabled", value: enabled }];
  return (
    difference ?? patch ?? [...switched, ...changes.map((one) => ({ ...one, path: `/variants${one.path}` }))]
  );
}

function formatOperation({ op, path, value }: DifferenceOperation): string {
  if (path === "/enabled") return value === true ? "on" : "off";
  return [op, path, ...(value === undefined ? [] : [JSON.stringify(value)])].join(" ");
}
