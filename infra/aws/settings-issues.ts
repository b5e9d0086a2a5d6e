/** Describes what is wrong with settings, in the form that the command line has for state files. */
import * as z from "zod/mini";
import { toIssue } from "../../lib/contract/validate.ts";
import { didYouMean } from "../cli/did-you-mean.ts";

type Issue = z.core.$ZodIssue;

/** A line for each issue. */
export function describeIssues(schema: z.ZodMiniType, issues: readonly Issue[]): string {
  const names = new Set(memberNames(z.toJSONSchema(schema, { unrepresentable: "any" })));
  return [...linesOf(issues, [], names)].join("\n");
}

function* linesOf(
  issues: readonly Issue[],
  at: Issue["path"],
  names: ReadonlySet<string>,
): Generator<string> {
  for (const issue of issues) {
    const place = [...at, ...issue.path];
    if (issue.code === "unrecognized_keys") {
      for (const key of issue.keys)
        yield line([...place, key], `is not a known setting${didYouMean(key, names)}`);
    } else if (issue.code === "invalid_union") {
      // The option that is meant has the right type, and is wrong inside.
      const inside = issue.errors.find((errors) => errors.every(isInside));
      if (inside) yield* linesOf(inside, place, names);
      else yield line(place, optionsOf(issue).join(", or "));
    } else yield line(place, issue.message);
  }
}

const isInside = ({ path, code }: Issue) => path.length > 0 || code === "unrecognized_keys";

function optionsOf(issue: z.core.$ZodIssueInvalidUnion): string[] {
  const { errors, options } = { options: undefined, ...issue };
  if (options) return [`must be one of ${options.map(String).join(", ")}`];
  return errors.flatMap((of) => of.slice(0, 1).map(({ message }) => message));
}

function line(path: Issue["path"], message: string): string {
  return `  ${toIssue(path, "").path || "/"} ${message}`;
}

/** The names of all settings, and of their members. */
function memberNames(json: unknown): string[] {
  if (typeof json !== "object" || json === null) return [];
  const { properties = {} } = json as { properties?: object };
  return [...Object.keys(properties), ...Object.values(json).flatMap(memberNames)];
}
