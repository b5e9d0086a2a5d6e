/** Refuses a project or an environment that does not exist, and suggests a known name in place of an unknown one. */
import { closest, distance } from "fastest-levenshtein";
import { printable } from "../printable.ts";
import { Refusal } from "../refusal.ts";
import type { Content } from "../store/content.ts";

/** ` (did you mean "checkout"?)`, or nothing where no name is near. */
export function didYouMean(name: string, known: Iterable<string>): string {
  const names = new Map([...known].map((one) => [one.toLowerCase(), one]));
  if (names.size === 0) return "";
  const typed = name.toLowerCase();
  const nearest = closest(typed, [...names.keys()]);
  const isNear = distance(typed, nearest) <= Math.max(1, name.length * 0.4);
  return isNear ? ` (did you mean "${printable(names.get(nearest) ?? "")}"?)` : "";
}

interface Scope {
  project?: string | undefined;
  environment?: string | undefined;
}

export function requireScope(projects: Content["projects"], { project, environment }: Scope): void {
  if (project !== undefined && !projects.has(project)) {
    throw new Refusal(`there is no project "${project}"${didYouMean(project, projects.keys())}`);
  }
  const known = project === undefined ? [...projects.values()].flat() : (projects.get(project) ?? []);
  if (environment === undefined || known.includes(environment)) return;
  const where = project === undefined ? "in any project" : `in project "${project}"`;
  throw new Refusal(`there is no environment "${environment}" ${where}${didYouMean(environment, known)}`);
}
