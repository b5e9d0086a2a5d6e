/** The wanted state: of a state file, or of an export of Unleash. */
import type { Tag } from "../../../lib/contract/tags.ts";
import type { Variant } from "../../../lib/contract/variants.ts";
import type { State } from "../../state/state.ts";
import { type NewApiKey, toNewApiKey } from "../../store/new-items.ts";

export interface Wanted {
  projects: readonly { id: string; environments: readonly string[] }[];
  features: readonly WantedFeature[];
  apiKeys: readonly NewApiKey[];
}

export interface WantedFeature {
  name: string;
  project: string;
  tags: readonly Tag[];
  /** Undefined where the environment must exist, with whatever variants. */
  environments: ReadonlyMap<string, Variant[] | undefined>;
}

export function wantedOf({ projects, features, apiKeys }: State): Wanted {
  const ofProject = new Map(projects.map(({ id, environments }) => [id, environments]));
  return {
    projects,
    features: features.map(({ name, project, tags, environments }) => ({
      name,
      project,
      tags,
      environments: environments
        ? new Map(Object.entries(environments).map(([environment, { variants }]) => [environment, variants]))
        : new Map((ofProject.get(project) ?? []).map((environment) => [environment, undefined])),
    })),
    apiKeys: apiKeys.map(toNewApiKey),
  };
}
