/** Loads projects, their features, one feature, and its newest changes. */
import type { FeaturesWithEnvironments, Projects } from "../../../../lib/contract/responses/lists.ts";
import { type Loaded, load, pathIssue, toApiUrl } from "./exchange.ts";
import type { Changes, FeatureBody, FeaturePlace } from "./shown.ts";

export async function loadFeature(
  key: string,
  { project, feature }: FeaturePlace,
): Promise<Loaded<FeatureBody>> {
  const invalid = pathIssue([project, feature]);
  if (invalid) return { kind: "invalid request", error: invalid };
  return load<FeatureBody>(toApiUrl(["projects", project, "features", feature], { by: "name" }), key);
}

export function loadProjects(key: string): Promise<Loaded<Projects>> {
  return load<Projects>(toApiUrl(["projects"]), key);
}

/** A page of a project's features, those after the feature `after`. */
export function loadFeatures(key: string, project: string, after: string, limit: number) {
  const query = { with: "environments", limit: String(limit), ...(after && { after }) };
  return load<FeaturesWithEnvironments>(toApiUrl(["projects", project, "features"], query), key);
}

/** The newest changes first; undefined if they cannot be read. */
export async function loadChanges(
  key: string,
  { project, feature }: FeaturePlace,
): Promise<Changes | undefined> {
  const path = ["projects", project, "features", feature, "variants", "changes"];
  const loaded = await load<Changes>(toApiUrl(path), key);
  return loaded.kind === "loaded" ? loaded.body : undefined;
}
