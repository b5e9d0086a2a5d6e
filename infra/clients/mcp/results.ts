/** Makes results that fit. What does not fit is left out at the end, and the result says so. */
import type * as z from "zod/mini";
import type {
  Features,
  FeaturesWithEnvironmentsByName,
  Project,
} from "../../../lib/contract/responses/lists.ts";
import type { Tag } from "../../../lib/contract/tags.ts";
import type * as schemas from "./tool-schemas.ts";

/** The most characters of a result as JSON: clients cut one of some 25,000 tokens, or refuse it. */
const maxCharacters = 50_000;
/** The most characters of a list in a result; the rest is for the other members. */
const listCharacters = maxCharacters - 1000;
const tagsOfListed = 20;

type ListedFeatures = Omit<z.output<typeof schemas.features>, "notice">;
type ListedFeature = ListedFeatures["features"][number];
type InEnvironments = { environments: { environment: string }[] };

export function toResult<Result extends object>(result: Result) {
  return { content: [{ type: "text" as const, text: JSON.stringify(result) }], structuredContent: result };
}

/** A page of the features that fit, with the first tags of each. At least one: the next page begins after the last. */
export function toFeatures(page: Features | FeaturesWithEnvironmentsByName): ListedFeatures {
  const { features, next } = page;
  const shown = features.map((feature) => withFirstEnvironments(withFirstTags(feature)));
  const fitting = shown.slice(0, Math.max(1, countFitting(shown)));
  const last = fitting.length < shown.length ? fitting.at(-1)?.name : next;
  return { features: fitting, ...(last !== undefined && { next: last }) };
}

export function withFirstTags<Feature extends { tags: Tag[] }>({ tags, ...feature }: Feature) {
  return {
    ...feature,
    tags: tags.slice(0, tagsOfListed),
    ...(tags.length > tagsOfListed && { omittedTags: tags.length - tagsOfListed }),
  };
}

/** One feature alone may be too large for a result. */
function withFirstEnvironments(feature: ListedFeature): ListedFeature {
  const { environments } = feature;
  const rest = JSON.stringify({ ...feature, environments: [], omittedEnvironments: environments.length });
  const fittingCount = countFitting(environments, listCharacters - rest.length - 1);
  if (fittingCount === environments.length) return feature;
  return {
    ...feature,
    environments: environments.slice(0, fittingCount),
    omittedEnvironments: environments.length - fittingCount,
  };
}

export function toProjects(projects: Project[]) {
  const fittingCount = countFitting(projects);
  return { projects: projects.slice(0, fittingCount), omitted: projects.length - fittingCount };
}

export function toTags(tags: Tag[]) {
  const fittingCount = countFitting(tags);
  return { tags: tags.slice(0, fittingCount), omitted: tags.length - fittingCount };
}

function countFitting(items: readonly unknown[], most = listCharacters): number {
  let characters = 0;
  const end = items.findIndex((item) => {
    characters += JSON.stringify(item).length + 1;
    return characters > most;
  });
  return end === -1 ? items.length : end;
}

/** Omits whole environments, the last ones first, until the result fits. */
export function omitEnvironments<Result extends { omitted: string[] }>(
  result: Result,
  lists: InEnvironments[],
): Result {
  const last = lists.flatMap(({ environments }) => environments).at(-1)?.environment;
  if (JSON.stringify(result).length <= maxCharacters || last === undefined) return result;
  for (const list of lists) list.environments = list.environments.filter((each) => each.environment !== last);
  result.omitted.unshift(last);
  return omitEnvironments(result, lists);
}
