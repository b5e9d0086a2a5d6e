/** What several exports of Unleash, one for each environment, come to as one state. */
import { check, summarize } from "../../../lib/contract/check.ts";
import { type Tag, tagSchema } from "../../../lib/contract/tags.ts";
import type { Variant } from "../../../lib/contract/variants.ts";
import { tagMember } from "../../../lib/store/items.ts";
import { featureStateSchema, projectStateSchema, variantsStateSchema } from "../../state/state.ts";
import type { Target } from "../plan/target.ts";
import type { Wanted } from "../plan/wanted.ts";
import type { Omissions } from "./left-out.ts";
import type { UnleashExport } from "./schema.ts";

interface Feature {
  name: string;
  project: string;
  tags: Map<string, Tag>;
  environments: Map<string, Variant[] | undefined>;
}

export function convert(exports: readonly UnleashExport[], now: Target, omissions: Omissions): Wanted {
  const features = new Map<string, Feature>();
  const projects = new Map<string, Set<string>>();
  for (const one of exports) {
    takeFeatures(one, now, features, omissions);
    takeTags(one, features, omissions);
    takeEnvironments(one, features, projects, omissions);
  }
  for (const { project } of features.values()) if (!projects.has(project)) projects.set(project, new Set());
  return {
    projects: [...projects].map(([id, environments]) => ({ id, environments: [...environments] })),
    features: [...features.values()].map(({ tags, ...rest }) => ({ ...rest, tags: [...tags.values()] })),
    apiKeys: [],
  };
}

function takeFeatures(
  { features: given }: UnleashExport,
  now: Target,
  features: Map<string, Feature>,
  omissions: Omissions,
): void {
  for (const { name, project, archived } of given) {
    const { faults } = check(featureStateSchema, { name, project });
    const elsewhere = features.get(name)?.project ?? now.features.get(name)?.project ?? project;
    if (archived) omissions.add("features", "they are archived", name);
    else if (faults) omissions.add("features", summarize(faults), name);
    else if (elsewhere !== project) {
      omissions.add("features", `they are in project "${elsewhere}" already, and not in "${project}"`, name);
    } else if (!features.has(name)) {
      features.set(name, { name, project, tags: new Map(), environments: new Map() });
    }
  }
}

function takeTags(
  { featureTags }: UnleashExport,
  features: ReadonlyMap<string, Feature>,
  omissions: Omissions,
): void {
  for (const { featureName, tagType: type, tagValue: value } of featureTags) {
    const { value: tag, faults } = check(tagSchema, { type, value });
    if (faults) omissions.add("tags", summarize(faults), `${type}:${value} of ${featureName}`);
    else features.get(featureName)?.tags.set(tagMember(tag), tag);
  }
}

function takeEnvironments(
  { featureEnvironments }: UnleashExport,
  features: ReadonlyMap<string, Feature>,
  projects: Map<string, Set<string>>,
  omissions: Omissions,
): void {
  for (const { featureName, environment, variants } of featureEnvironments) {
    const feature = features.get(featureName);
    // Why the feature is left out is told of the feature.
    if (!feature) continue;
    const { faults } = check(projectStateSchema, { id: feature.project, environments: [environment] });
    if (faults) {
      omissions.add("environments", summarize(faults), environment);
      continue;
    }
    const ofProject = projects.get(feature.project) ?? new Set();
    projects.set(feature.project, ofProject.add(environment));
    const list = readVariants(variants ?? [], `${featureName} in ${environment}`, omissions);
    feature.environments.set(environment, list ?? feature.environments.get(environment));
  }
}

/** A list without one of its variants would deal other weights than anybody chose: it is taken whole or not at all. */
function readVariants(given: readonly unknown[], where: string, omissions: Omissions): Variant[] | undefined {
  const { value, faults } = check(variantsStateSchema, given.map(withoutNulls));
  if (faults) omissions.add("variants", `not valid: ${summarize(faults)}`, where);
  return value;
}

/** Variants that were stored by an old Unleash have null where a newer one leaves a member out. */
function withoutNulls(variant: unknown): unknown {
  if (typeof variant !== "object" || variant === null || Array.isArray(variant)) return variant;
  return Object.fromEntries(Object.entries(variant).filter(([, value]) => value !== null));
}
