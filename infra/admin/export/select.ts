/** Selects the features of one environment, in one project or all, for an SDK's document. */
import type { Variant } from "../../../lib/contract/variants.ts";
import { byName, type Content } from "../plan/content.ts";
import { inOrder } from "../plan/variant-order.ts";
import { requireScope } from "../scopes.ts";
import type { Omissions } from "../unleash/left-out.ts";

export interface Scope {
  environment: string;
  project?: string | undefined;
}

/** A feature with its variants in the environment. */
export interface Exported {
  name: string;
  project: string;
  variants: readonly Variant[];
}

export interface Format {
  /** A document in which every feature is on, for everyone. */
  create(features: readonly Exported[], scope: Scope, omissions: Omissions): object;
  /** The document that this file has, with the variants of these features, and otherwise as it is. */
  into(file: string, features: readonly Exported[], omissions: Omissions): Promise<object>;
}

/** Sorts by name, so that the same content gives the same text. */
export function selectFeatures(all: Content, scope: Scope, omissions: Omissions): Exported[] {
  requireScope(all.projects, scope);
  return byName(all.features.values())
    .filter(({ project }) => scope.project === undefined || project === scope.project)
    .flatMap(({ name, project, tags, environments }) => {
      const variants = environments.get(scope.environment);
      if (!variants) omissions.add("features", `not in environment "${scope.environment}"`, name);
      else if (tags.length > 0) omissions.add("tags", "the format has none", name);
      return variants ? [{ name, project, variants: variants.map(inOrder) }] : [];
    });
}
