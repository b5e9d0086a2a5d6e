/** Converts exports of Unleash, one for each environment, into one wanted state. */

import { type Tag, tagSchema } from "../../../lib/contract/tags.ts";
import { summarize, validate } from "../../../lib/contract/validate.ts";
import type { Variant } from "../../../lib/contract/variants.ts";
import { tagMember } from "../../../lib/store/items.ts";
import { featureStateSchema, projectStateSchema, variantsStateSchema } from "../../state/state.ts";
import type { Content } from "../plan/content.ts";
import type { Wanted } from "../plan/wanted.ts";
import type { Omissions } from "./left-out.ts";
import type { UnleashExport } from "./schema.ts";

interface Feature {
  name: string;
  project: string;
  tags: Map<string, Tag>;
  environments: Map<string, Variant[] | undefined>;
}

export function convert(exports: readonly UnleashExport[], now: Content, omissions: Omissions): Wanted {
  const features = new Map<string, Feature>();
  const projects = new Map<string, Set<string>>();
  const listed = new Set(exports.flatMap(({ features }) => features.map(({ name }) => name)));
  for (const one of exports) takeFeatures(one, now, features, omissions);
  for (const one of exports) {
    takeTags(one, features, listed, omissions);
    takeEnvironments(one, features, listed, projects, omissions);
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
  now: Content,
  features: Map<string, Feature>,
  omissions: Omissions,
): void {
  for (const { name, project, archived } of given) {
    const { issues } = validate(featureStateSchema, { name, project });
    const elsewhere = features.get(name)?.project ?? now.features.get(name)?.project ?? project;
    if (archived) omissions.add("features", "they are archived", name);
    else if (issues) omissions.add("features", summarize(issues), name);
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
  listed: ReadonlySet<string>,
  omissions: Omissions,
): void {
  for (const { featureName, tagType: type, tagValue: value } of featureTags) {
    const { value: tag, issues } = validate(tagSchema, { type, value });
    const why = issues ? summarize(issues) : notListed(featureName, listed);
    if (why !== undefined) omissions.add("tags", why, `${type}:${value} of ${featureName}`);
    else if (tag) features.get(featureName)?.tags.set(tagMember(tag), tag);
  }
}

function takeEnvironments(
  { featureEnvironments }: UnleashExport,
  features: ReadonlyMap<string, Feature>,
  listed: ReadonlySet<string>,
  projects: Map<string, Set<string>>,
  omissions: Omissions,
): void {
  for (const { featureName, environment, variants } of featureEnvironments) {
    const feature = features.get(featureName);
    if (!feature) {
      const why = notListed(featureName, listed);
      if (why !== undefined) omissions.add("environments", why, `${environment} of ${featureName}`);
      continue;
    }
    const { issues } = validate(projectStateSchema, { id: feature.project, environments: [environment] });
    if (issues) {
      omissions.add("environments", summarize(issues), environment);
      continue;
    }
    const ofProject = projects.get(feature.project) ?? new Set();
    projects.set(feature.project, ofProject.add(environment));
    const list = variants && readVariants(variants, `${featureName} in ${environment}`, omissions);
    feature.environments.set(environment, list ?? feature.environments.get(environment));
  }
}

/** Undefined for a feature that an export lists: if it was left out, the reason is reported with the feature. */
function notListed(feature: string, listed: ReadonlySet<string>): string | undefined {
  return listed.has(feature) ? undefined : "their feature is not in the export";
}

/** Takes a list as a whole or not at all: without one of its variants the others would get other weights. */
function readVariants(given: readonly unknown[], where: string, omissions: Omissions): Variant[] | undefined {
  const { value, issues } = validate(variantsStateSchema, given.map(withoutNulls));
  if (issues) omissions.add("variants", `not valid: ${summarize(issues)}`, where);
  return value;
}

/** Variants that were stored by an old Unleash have null where a newer one leaves a member out. */
function withoutNulls(variant: unknown): unknown {
  if (typeof variant !== "object" || variant === null || Array.isArray(variant)) return variant;
  return Object.fromEntries(Object.entries(variant).filter(([, value]) => value !== null));
}
