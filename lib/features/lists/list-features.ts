/** Lists the projects that a caller may read, and the features of one. */
import { type Caller, readableProjects } from "../../access/permissions.ts";
import { compareCodePoints } from "../../code-points.ts";
import { requireProject } from "../../contract/errors.ts";
import type { FeatureWithEnvironments, ListedFeature, Project } from "../../contract/responses/lists.ts";
import type { ContentPage, ListReader, PageRange } from "../stores.ts";
import { sortTags } from "../tags/tag-list.ts";
import { firstThatFit } from "./first-that-fit.ts";
import { toListedEnvironment } from "./listed-environment.ts";

export async function listProjects(reader: ListReader, caller: Caller): Promise<Project[]> {
  const projects = await reader.readProjects();
  const readable = readableProjects(caller);
  const isReadable = ({ id }: Project) => readable === "all" || readable.includes(id);
  return projects.filter(isReadable).map(({ id, environments }) => ({ id, environments }));
}

export async function listFeatures(
  reader: ListReader,
  id: string,
  { after, limit }: PageRange,
): Promise<{ features: ListedFeature[]; next?: string }> {
  const [project, features] = await Promise.all([
    reader.readProject(id),
    reader.readFeatures(id, { after, limit: limit + 1 }),
  ]);
  requireProject(project, id);
  return toPage(features, limit);
}

/** Takes the features that were read, one more than the limit if there are more. */
function toPage(read: readonly ListedFeature[], limit: number): { features: ListedFeature[]; next?: string } {
  const features = read.slice(0, limit).map((feature) => ({ ...feature, tags: sortTags(feature.tags) }));
  const next = read.length > limit ? features.at(-1)?.name : undefined;
  return { features, ...(next !== undefined && { next }) };
}

/**
 * Lists features with the content of their environments. A page ends before its limit where
 *
 *   - the next feature was not read in some environment, whose query ended before it
 *   - the next feature would not fit in the response
 *
 * A query may read only what is left of deleted features. Then the page is empty and has `next`.
 */
export async function listWithEnvironments(
  reader: ListReader,
  id: string,
  range: PageRange,
): Promise<{ features: readonly FeatureWithEnvironments[]; next?: string }> {
  const project = requireProject(await reader.readProject(id), id);
  const readContents = async (environment: string) =>
    [environment, await reader.readListedContents(id, environment, range)] as const;
  const [read, ...pages] = await Promise.all([
    reader.readFeatures(id, { ...range, limit: range.limit + 1 }),
    ...project.environments.map(readContents),
  ]);
  const pageOf = new Map(pages);
  const page = toPage(read, range.limit);
  const [firstEnd] = [...pageOf.values()].flatMap(({ end }) => end ?? []).sort(compareCodePoints);
  const isReadEverywhere = ({ name }: ListedFeature) =>
    firstEnd === undefined || compareCodePoints(name, firstEnd) <= 0;
  const features = firstThatFit(
    page.features.filter(isReadEverywhere).map((feature) => withEnvironments(feature, pageOf)),
  );
  const isWhole = features.length === page.features.length;
  const next = isWhole ? page.next : (features.at(-1)?.name ?? firstEnd);
  return { features, ...(next !== undefined && { next }) };
}

/**
 * Leaves out an environment that the index lacks, because it may have the feature a moment before its environments, and
 * those that would not fit in a response that has this feature alone.
 */
function withEnvironments(
  feature: ListedFeature,
  pageOf: ReadonlyMap<string, ContentPage>,
): FeatureWithEnvironments {
  const environments = feature.environments.flatMap((environment) => {
    const content = pageOf.get(environment)?.contents.get(feature.name);
    return content ? [{ environment, ...toListedEnvironment(content) }] : [];
  });
  const shown = firstThatFit(environments, feature);
  const hasMore = shown.length < environments.length;
  return { ...feature, environments: [...shown], ...(hasMore && { more: true }) };
}
