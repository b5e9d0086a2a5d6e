/** Selects the features of one environment, in one project or all, for an SDK's document. */
import type { Variant } from "../../../lib/contract/variants.ts";
import { compareCodePoints } from "../../../lib/features/update-tags.ts";
import { Refusal } from "../../refusal.ts";
import type { Target } from "../plan/target.ts";
import { inOrder } from "../plan/variant-order.ts";
import { didYouMean } from "../terminal/nearest.ts";
import type { Omissions } from "../unleash/left-out.ts";

export interface Scope {
  environment: string;
  project?: string | undefined;
}

export interface SelectedFeature {
  name: string;
  project: string;
  variants: readonly Variant[];
}

/** Sorts by name, so that the same content gives the same text. */
export function selectFeatures(all: Target, scope: Scope, omissions: Omissions): SelectedFeature[] {
  requireScope(all, scope);
  return [...all.features.values()]
    .filter(({ project }) => scope.project === undefined || project === scope.project)
    .sort((left, right) => compareCodePoints(left.name, right.name))
    .flatMap(({ name, project, tags, environments }) => {
      const variants = environments.get(scope.environment);
      if (!variants) omissions.add("features", `not in environment "${scope.environment}"`, name);
      else if (tags.length > 0) omissions.add("tags", "the format has none", name);
      return variants ? [{ name, project, variants: variants.map(inOrder) }] : [];
    });
}

function requireScope({ projects }: Target, { environment, project }: Scope): void {
  if (project !== undefined && !projects.has(project)) {
    throw new Refusal(`there is no project "${project}"${didYouMean(project, projects.keys())}`);
  }
  const known = project === undefined ? [...projects.values()].flat() : (projects.get(project) ?? []);
  if (known.includes(environment)) return;
  const where = project === undefined ? "in any project" : `in project "${project}"`;
  throw new Refusal(`there is no environment "${environment}" ${where}${didYouMean(environment, known)}`);
}
