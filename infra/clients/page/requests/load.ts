/** Loads projects, their features, one feature, and its newest changes. */
import type { FeaturesWithEnvironments, Projects } from "../../../../lib/contract/responses/lists.ts";
import { namesInPath } from "../../api/path.ts";
import { type Loaded, load } from "./exchange.ts";
import type { Changes, FeatureBody, FeaturePlace } from "./shown.ts";

export function loadFeature(key: string, place: FeaturePlace): Promise<Loaded<FeatureBody>> {
  return load<FeatureBody>({ names: namesInPath(place), query: { by: "name" } }, key);
}

export function loadProjects(key: string): Promise<Loaded<Projects>> {
  return load<Projects>({ names: ["projects"] }, key);
}

/** Loads a page of a project's features: those after the feature `after`. */
export function loadFeatures(key: string, project: string, after: string, limit: number) {
  const query = { with: "environments", limit: String(limit), ...(after && { after }) };
  return load<FeaturesWithEnvironments>({ names: ["projects", project, "features"], query }, key);
}

/** Loads the newest changes, or returns undefined if they cannot be read. */
export async function loadChanges(key: string, place: FeaturePlace): Promise<Changes | undefined> {
  const loaded = await load<Changes>({ names: namesInPath(place, "variants", "changes") }, key);
  return loaded.kind === "loaded" ? loaded.body : undefined;
}
