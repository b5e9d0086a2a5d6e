/** Adds features to the table before a test. */
import { randomUUID } from "node:crypto";
import type { Tag } from "../../lib/contract/tags.ts";
import type { Variant } from "../../lib/contract/variants.ts";
import { type EnvironmentState, emptyContent } from "../../lib/features/model.ts";
import type { Burgee } from "./burgee.ts";

interface Seed {
  name?: string;
  project?: string;
  tags?: readonly Tag[];
  /** The variants of each environment; the project has these environments in this order. */
  environments?: Readonly<Record<string, readonly Variant[]>>;
  /** Whether it is on, in every environment. */
  enabled?: boolean;
}

/** Adds a feature with a unique name, and returns the name. */
export async function addFeature(
  burgee: Burgee,
  {
    name = `feature-${randomUUID()}`,
    project = "default",
    tags = [],
    environments = { development: [], production: [] },
    enabled = false,
  }: Seed = {},
): Promise<string> {
  await burgee.store({
    projects: [projectOf(project, ...Object.keys(environments))],
    features: [featureOf(name, environments, { project, tags, enabled })],
  });
  return name;
}

/** A project of a state. */
export const projectOf = (id: string, ...environments: string[]) => ({ id, environments });

/**
 * A feature of a state with these variants in each environment; off, and in the project "default", unless `rest` says
 * otherwise.
 */
export function featureOf(
  name: string,
  lists: NonNullable<Seed["environments"]>,
  { enabled = false, ...rest }: { enabled?: boolean } & Record<string, unknown> = {},
) {
  const environments = Object.entries(lists).map(([one, variants]) => [
    one,
    { ...emptyContent, enabled, variants },
  ]);
  return { name, project: "default", environments: Object.fromEntries(environments), ...rest };
}

/** A stored variant that is the only one in its list, so that its weight is 1000. */
export function variant(name: string, rest: Partial<Variant> = {}): Variant {
  return { name, weight: 1000, weightType: "variable", stickiness: "default", ...rest };
}

export const tag = (value: string, type = "simple"): Tag => ({ value, type });

/** An environment as a store reads it, at its first revision. */
export function environmentState(rest: Partial<EnvironmentState> = {}): EnvironmentState {
  const first = { uid: "u", revision: 1, carried: [], droppedIds: [], top: null };
  const content = { ...emptyContent, enabled: true, variants: [variant("blue")] };
  return { environment: "production", ...content, ...first, ...rest };
}
