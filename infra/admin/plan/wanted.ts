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
  /** Undefined for all of its project's; variants that are undefined stay as they are. */
  environments: ReadonlyMap<string, Variant[] | undefined> | undefined;
}

export function wantedOf({ projects, features, apiKeys }: State): Wanted {
  return {
    projects,
    features: features.map(({ name, project, tags, environments }) => ({
      name,
      project,
      tags,
      environments:
        environments && new Map(Object.entries(environments).map(([name, { variants }]) => [name, variants])),
    })),
    apiKeys: apiKeys.map(toNewApiKey),
  };
}
