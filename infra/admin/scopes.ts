/** Refuses a project or an environment that does not exist, and suggests a similar name. */
import { Refusal } from "../refusal.ts";
import type { Content } from "./plan/content.ts";
import { didYouMean } from "./terminal/nearest.ts";

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
