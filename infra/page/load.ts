/** Loads what is stored: projects, their features, one feature, and its last changes. */
import type * as z from "zod/mini";
import type { featureChangeSchema } from "../../lib/contract/changes.ts";
import type { FeaturesWithEnvironments, Projects } from "../../lib/contract/lists.ts";
import type { moveSchema } from "../../lib/contract/moves.ts";
import type { featureByNameSchema } from "../../lib/contract/responses.ts";
import { type Loaded, load, otherPath, toApiUrl } from "./exchange.ts";

export type Feature = z.infer<typeof featureByNameSchema>;
/** All that an environment has. */
export type Content = Feature["environments"][number];
export type Variants = Content["variants"];
export type Strategies = Content["strategies"];
export type Strategy = Strategies[string];

export type Move = z.infer<typeof moveSchema>;
/** What a user gets: a variant, the feature without a variant (`true`), or not the feature (`null`). */
export type Got = NonNullable<Move["from"]> | null;

/** What a change did in an environment. */
export type MadeChange = Change["environments"][number];

export type Change = z.infer<typeof featureChangeSchema>;

export interface Changes {
  changes: Change[];
  more?: boolean;
}

/** A feature as it was read last. */
export interface Flag {
  project: string;
  name: string;
  tags: Feature["tags"];
  environments: readonly Content[];
  history: Changes | undefined;
  /** Why it could not be read this time; then the rest is as it was before. */
  error: string;
  readAt: number;
}

interface FeaturePlace {
  project: string;
  feature: string;
}

/** As it is stored, in every environment. */
export async function loadFeature(key: string, { project, feature }: FeaturePlace): Promise<Loaded<Feature>> {
  const invalid = otherPath([project, feature]);
  if (invalid) return { json: undefined, error: invalid, status: 400 };
  return load<Feature>(toApiUrl(["projects", project, "features", feature], { by: "name" }), key);
}

export function loadProjects(key: string): Promise<Loaded<Projects>> {
  return load<Projects>(toApiUrl(["projects"]), key);
}

/** A page of the features of a project, after this one. */
export function loadFeatures(key: string, project: string, after: string, limit: number) {
  const query = { with: "environments", limit: String(limit), ...(after && { after }) };
  return load<FeaturesWithEnvironments>(toApiUrl(["projects", project, "features"], query), key);
}

/** The last ones, newest first, or undefined if they are not known. */
export async function loadChanges(
  key: string,
  { project, feature }: FeaturePlace,
): Promise<Changes | undefined> {
  const path = ["projects", project, "features", feature, "variants", "changes"];
  return (await load<Changes>(toApiUrl(path), key)).json;
}

export function createFeature(key: string, project: string, name: string): Promise<Loaded<object>> {
  return load<object>(toApiUrl(["projects", project, "features"]), key, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ name }),
  });
}
