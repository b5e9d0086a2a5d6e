/** Refuses a permission in a project or environment that does not exist: it would silently permit nothing. */
import type { Permit } from "../../lib/contract/permissions.ts";
import type { ProjectItem } from "../../lib/store/items.ts";
import { Refusal } from "../refusal.ts";
import { didYouMean } from "./terminal/nearest.ts";

export function refuseUnknownScopes(
  permits: readonly Permit[],
  projects: ReadonlyMap<string, ProjectItem>,
): void {
  for (const { project, environment } of permits) {
    if (project !== undefined && !projects.has(project)) {
      throw new Refusal(`there is no project "${project}"${didYouMean(project, projects.keys())}`);
    }
    const scope = project === undefined ? [...projects.values()] : [projects.get(project)];
    const known = scope.flatMap((one) => one?.environments ?? []);
    if (environment === undefined || known.includes(environment)) continue;
    const where = project === undefined ? "in any project" : `in project "${project}"`;
    throw new Refusal(`there is no environment "${environment}" ${where}${didYouMean(environment, known)}`);
  }
}
