/** Loads what is stored: projects, their features, one feature, and its last changes. */
import type * as z from "zod/mini";
import type { changesSchema } from "../../lib/contract/changes.ts";
import type { FeaturesWithEnvironments, Projects } from "../../lib/contract/lists.ts";
import type { featureSchema } from "../../lib/contract/responses.ts";
import { type Loaded, load } from "./exchange.ts";
import { otherPath, type PatchRequest, toApiUrl } from "./request.ts";

type Feature = z.infer<typeof featureSchema>;
type Changes = z.infer<typeof changesSchema>;
type FeaturePlace = Pick<PatchRequest, "key" | "project" | "feature">;

/** As it is stored, in every environment. */
export async function loadFeature(place: FeaturePlace): Promise<Loaded<Feature>> {
  const invalid = otherPath({ ...place, environment: "" });
  if (invalid) return { json: undefined, error: invalid, status: 400 };
  return load<Feature>(toApiUrl(["projects", place.project, "features", place.feature]), place.key);
}

export function loadProjects(key: string): Promise<Loaded<Projects>> {
  return load<Projects>(toApiUrl(["projects"]), key);
}

/** A page of the features of a project, after this one. */
export function loadFeatures({ key, project }: FeaturePlace, after: string, limit: number) {
  const query = { with: "environments", limit: String(limit), ...(after && { after }) };
  return load<FeaturesWithEnvironments>(toApiUrl(["projects", project, "features"], query), key);
}

/** The last ones, newest first, or undefined if they are not known. */
export async function loadChanges({ key, project, feature }: FeaturePlace): Promise<Changes | undefined> {
  const path = ["projects", project, "features", feature, "variants", "changes"];
  return (await load<Changes>(toApiUrl(path), key)).json;
}
