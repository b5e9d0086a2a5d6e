/** Formats what a change does in an environment, for people. */
import { parsePointer } from "../../../../lib/contract/json.ts";
import type { DifferenceOperation } from "../../../../lib/contract/responses/members.ts";
import type { Strategy } from "../../../../lib/contract/strategies.ts";
import { printable } from "../../../cli/printable.ts";
import { strategySentence } from "./strategy-sentence.ts";

interface ChangedEnvironment {
  environment: string;
  /** Absent where the change failed. */
  difference?: readonly DifferenceOperation[];
}

/** `production: on, replace /variants/blue/weight 500 (was 250), add strategy "rollout": 25 %`. */
export function formatIn({ environment, difference = [] }: ChangedEnvironment): string {
  const operations = difference.map(formatOperation).join(", ");
  return printable(`${environment}: ${operations || "no difference"}`);
}

function formatOperation({ op, path, value, was }: DifferenceOperation): string {
  if (path === "/enabled") return value === true ? "on" : "off";
  const [part, id, member, parameter, ...rest] = parsePointer(path);
  if (part === "strategies" && id !== undefined) {
    if (member === undefined)
      return `${op} strategy "${id}"${value === undefined ? "" : `: ${addedStrategySentence(id, value)}`}`;
    if (member === "parameters" && parameter === "rollout" && rest.length === 0 && value !== undefined)
      return `roll out to ${value} % by strategy "${id}"${was === undefined ? "" : ` (was ${was} %)`}`;
  }
  const values = value === undefined ? [] : [JSON.stringify(value)];
  return [op, path, ...values, ...(was === undefined ? [] : [`(was ${JSON.stringify(was)})`])].join(" ");
}

/** A difference has a strategy as a patch has it: its variants by name. */
function addedStrategySentence(id: string, value: unknown): string {
  const { variants, ...strategy } = value as Omit<Strategy, "id" | "variants"> & { variants: object };
  const list = Object.entries(variants).map(([name, variant]) => ({ name, ...variant }));
  return strategySentence({ id, ...strategy, variants: list });
}
