/** Loads projects, their features, one feature, and its newest changes. */
import type * as z from "zod/mini";
import type { changesSchema } from "../../../../lib/contract/responses/changes.ts";
import type { featureByNameSchema } from "../../../../lib/contract/responses/features.ts";
import type { FeaturesWithEnvironments, Projects } from "../../../../lib/contract/responses/lists.ts";
import type { moveSchema } from "../../../../lib/contract/responses/members.ts";
import { type Loaded, load, pathIssue, toApiUrl } from "./exchange.ts";

export type FeatureBody = z.infer<typeof featureByNameSchema>;
/** A feature in one environment. */
export type ShownEnvironment = FeatureBody["environments"][number];
export type ShownAspect = Exclude<keyof ShownEnvironment, "environment" | "etag" | "guard">;
export type Variants = ShownEnvironment["variants"];
export type ShownStrategies = ShownEnvironment["strategies"];
export type ShownStrategy = ShownStrategies[string];

export type ShownMove = z.infer<typeof moveSchema>;
export type Changes = z.infer<typeof changesSchema>;

/** The shown feature, as it was read last. */
export interface ShownFeature {
  project: string;
  name: string;
  tags: FeatureBody["tags"];
  environments: readonly ShownEnvironment[];
  /** The ETag of the feature, or "" if what is shown is not all that is stored: after a change of this tab, until the next read. */
  etag: string;
  /** Undefined if the changes could not be read. */
  history: Changes | undefined;
  /** Why the last attempt to read the feature failed, or "". */
  error: string;
  /** When the feature was read, in milliseconds; 0 if it never was. */
  readAt: number;
}

export interface FeaturePlace {
  project: string;
  feature: string;
}

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
