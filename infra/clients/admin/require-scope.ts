/** Refuses a project or an environment that does not exist, and suggests another name. */
import { didYouMeanOr } from "../../cli/did-you-mean.ts";
import { Refusal } from "../../cli/refusal.ts";
import type { TableContent } from "../../store/content.ts";

export function requireScope(
  projects: TableContent["projects"],
  { project, environment }: { project?: string | undefined; environment?: string | undefined },
): void {
  if (project !== undefined && !projects.has(project)) {
    throw new Refusal(
      `there is no project "${project}"${didYouMeanOr(project, projects.keys(), "known projects:")}`,
    );
  }
  const known = project === undefined ? [...projects.values()].flat() : (projects.get(project) ?? []);
  if (environment === undefined || known.includes(environment)) return;
  const where = project === undefined ? "in any project" : `in project "${project}"`;
  throw new Refusal(
    `there is no environment "${environment}" ${where}${didYouMeanOr(environment, new Set(known), "known environments:")}`,
  );
}
