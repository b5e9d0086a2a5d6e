/** Selects the features of one environment, in one project or all, for an SDK's document. */
import type { Variant } from "../../../lib/contract/variants.ts";
import { compareCodePoints } from "../../../lib/features/update-tags.ts";
import type { Content } from "../plan/content.ts";
import { inOrder } from "../plan/variant-order.ts";
import { requireScope } from "../scopes.ts";
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
export function selectFeatures(all: Content, scope: Scope, omissions: Omissions): SelectedFeature[] {
  requireScope(all.projects, scope);
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
