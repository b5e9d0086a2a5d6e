/** Refuses a target that would move a feature to another project, or leave one without its project or an environment. */
import { printable } from "../../printable.ts";
import { Refusal } from "../../refusal.ts";
import { danglingReferences } from "../../state/contradictions.ts";
import { andMore } from "../terminal/and-more.ts";
import { type Content, toState } from "./content.ts";

export function requireConsistent(now: Content, after: Content): void {
  const moves = [...after.features.values()].flatMap(({ name, project }) => {
    const from = now.features.get(name)?.project ?? project;
    return from === project ? [] : [`feature "${name}": from project "${from}" to "${project}"`];
  });
  refuse(
    "a feature stays in its project: delete it (`feature delete`), then create it in the other one",
    moves,
  );
  // References that were dangling before this change are accepted.
  const before = new Set(danglingIn(now));
  refuse(
    "the result would be inconsistent",
    danglingIn(after).filter((line) => !before.has(line)),
  );
}

function refuse(reason: string, found: readonly string[]): void {
  if (found.length === 0) return;
  throw new Refusal(`nothing was changed, because ${reason}:\n${andMore(found.map(printable), 100, "  ")}`);
}

/** Features that lack their project, or have an environment that it lacks. */
export function danglingIn(content: Content): string[] {
  const { projects, features } = toState(content);
  return [...danglingReferences(projects, features)].map(({ path, message }) => {
    const [, index, member, environment] = path;
    const what = member === "project" ? "its project" : `environment "${String(environment)}"`;
    return `feature "${features[Number(index)]?.name}": ${what} ${message}`;
  });
}
