/** Converts exports of Unleash, one for each environment, into one state. */
import { tagSchema } from "../../../../lib/contract/tags.ts";
import { summarise, type Validated, validate } from "../../../../lib/contract/validate.ts";
import type { Variant } from "../../../../lib/contract/variants.ts";
import type { Omissions } from "../../../../lib/documents/omissions.ts";
import { roomIssue } from "../../../../lib/features/patch/content-size.ts";
import {
  featureStateSchema,
  projectStateSchema,
  variantsStateSchema,
} from "../../../state/state-file-schemas.ts";
import type { TableContent } from "../../../store/content.ts";
import type { WantedState } from "../../../store/merge.ts";
import type { UnleashExport } from "./export.ts";
import { reportNotKept } from "./not-kept.ts";
import type { Segments } from "./segments.ts";
import { convertStrategies, parseParents, withoutNulls } from "./strategies.ts";

type Feature = Required<WantedState["features"][number]>;

/** Variants that no export has, or that are invalid there, are left out: they stay as they are. */
export function convert(
  exports: readonly UnleashExport[],
  now: TableContent,
  segments: Segments,
  omissions: Omissions,
): WantedState {
  const features = takeFeatures(exports, now, omissions);
  const ids = [...features.values()].map(({ project }) => project);
  const projects = new Map(ids.map((id) => [id, new Set<string>()]));
  const listed = new Set(exports.flatMap(({ features }) => features.map(({ name }) => name)));
  /** Reports what has no feature; if a feature was left out, the reason is reported with it. */
  const findOrReport = (name: string, what: string, which: string) => {
    if (!listed.has(name)) omissions.add({ what, why: "their feature is not in the export", which });
    return features.get(name);
  };
  for (const one of exports) {
    const { featureTags, featureEnvironments, featureStrategies } = one;
    const isOfOne = new Set(featureEnvironments.map(({ environment }) => environment)).size < 2;
    for (const { featureName, tagType: type, tagValue: value } of featureTags) {
      const { value: tag, issues } = validate(tagSchema, { type, value });
      const which = `${type}:${value} of ${featureName}`;
      if (issues) omissions.add({ what: "tags", why: summarise(issues), which });
      else findOrReport(featureName, "tags", which)?.tags.push(tag);
    }
    for (const { featureName, environment, enabled, variants } of featureEnvironments) {
      const feature = findOrReport(featureName, "environments", `${environment} of ${featureName}`);
      if (!feature) continue;
      const { name, environments } = feature;
      const place = validate(projectStateSchema, { id: feature.project, environments: [environment] });
      if (place.issues) {
        omissions.add({ what: "environments", why: summarise(place.issues), which: environment });
        continue;
      }
      projects.get(feature.project)?.add(environment);
      const where = `${name} in ${environment}`;
      const given = featureStrategies.filter((one) => one.featureName === name);
      const strategies =
        isOfOne || given.length === 0 ? convertStrategies(given, segments) : manyEnvironments;
      // If one of these is invalid, the feature would be on for others: the environment stays as it is, and a new one is off.
      const parents = parseParents(one, name);
      const issues = strategies.issues ?? parents.issues;
      const earlier = environments[environment];
      const list = variants && readVariants(variants, where, omissions);
      const forWhom = { strategies: strategies.value ?? [], dependencies: parents.value ?? [] };
      const why = issues ? summarise(issues) : roomIssue({ ...forWhom, variants: list ?? [] });
      if (why !== undefined) {
        omissions.add({ what: "strategies", why: `the environment is left as it is: ${why}`, which: where });
        environments[environment] ??= {};
        continue;
      }
      environments[environment] = {
        enabled: enabled ?? earlier?.enabled,
        variants: list ?? earlier?.variants,
        ...forWhom,
      };
    }
  }
  for (const one of exports) reportNotKept(one, omissions);
  return {
    projects: [...projects].map(([id, environments]) => ({ id, environments: [...environments] })),
    features: [...features.values()],
    apiKeys: [],
  };
}

const manyEnvironments = {
  issues: [
    {
      path: "",
      message: "has strategies, and the file has several environments: export each into a file of its own",
    },
  ],
  value: undefined,
};

function takeFeatures(
  exports: readonly UnleashExport[],
  now: TableContent,
  omissions: Omissions,
): Map<string, Feature> {
  const features = new Map<string, Feature>();
  for (const { name, project, archived } of exports.flatMap(({ features }) => features)) {
    const { issues } = validate(featureStateSchema, { name, project });
    const current = (features.get(name) ?? now.features.get(name))?.project ?? project;
    if (archived) omissions.add({ what: "features", why: "they are archived", which: name });
    else if (issues) omissions.add({ what: "features", why: summarise(issues), which: name });
    else if (current !== project) {
      const why = `they are in project "${current}" already, and cannot move to "${project}"`;
      omissions.add({ what: "features", why, which: name });
    } else if (!features.has(name)) {
      features.set(name, { name, project, tags: [], environments: {} });
    }
  }
  return features;
}

/** Takes a list as a whole or not at all: without one of its variants the others would get other weights. */
function readVariants(given: readonly unknown[], where: string, omissions: Omissions): Variant[] | undefined {
  const { value, issues } = parseExportedVariants(given);
  if (issues) omissions.add({ what: "variants", why: `not valid: ${summarise(issues)}`, which: where });
  return value;
}

/** Adds the defaults of members that Unleash stores only where they were sent. */
export function parseExportedVariants(given: readonly unknown[]): Validated<Variant[]> {
  return validate(variantsStateSchema, given.map(withoutNulls));
}
