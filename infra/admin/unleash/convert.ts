/** Converts exports of Unleash, one for each environment, into one state. */
import { tagSchema } from "../../../lib/contract/tags.ts";
import { summarise, type Validated, validate } from "../../../lib/contract/validate.ts";
import type { Variant } from "../../../lib/contract/variants.ts";
import type { Omissions } from "../../../lib/documents/left-out.ts";
import { newContent } from "../../../lib/features/model.ts";
import { roomIssue } from "../../../lib/features/variant-list.ts";
import { featureStateSchema, projectStateSchema, variantsStateSchema } from "../../state/schemas.ts";
import type { Content } from "../../store/content.ts";
import type { WantedState } from "../../store/merge.ts";
import type { UnleashExport } from "./export.ts";
import type { Segments } from "./segments.ts";
import { parseStrategies, withoutNulls } from "./strategies.ts";

type Feature = Required<WantedState["features"][number]>;

/** Variants that no export has, or that are invalid there, are left out: they stay as they are. */
export function convert(
  exports: readonly UnleashExport[],
  now: Content,
  segments: Segments,
  omissions: Omissions,
): WantedState {
  const features = takeFeatures(exports, now, omissions);
  const ids = [...features.values()].map(({ project }) => project);
  const projects = new Map(ids.map((id) => [id, new Set<string>()]));
  const listed = new Set(exports.flatMap(({ features }) => features.map(({ name }) => name)));
  /** Reports what has no feature; if a feature was left out, the reason is reported with it. */
  const findOrReport = (name: string, what: string, which: string) => {
    if (!listed.has(name)) omissions.add(what, "their feature is not in the export", which);
    return features.get(name);
  };
  for (const { featureTags, featureEnvironments, featureStrategies, dependencies } of exports) {
    const isOfOne = new Set(featureEnvironments.map(({ environment }) => environment)).size < 2;
    const children = new Set(dependencies.map(({ feature }) => feature));
    for (const { featureName, tagType: type, tagValue: value } of featureTags) {
      const { value: tag, issues } = validate(tagSchema, { type, value });
      const which = `${type}:${value} of ${featureName}`;
      if (issues) omissions.add("tags", summarise(issues), which);
      else findOrReport(featureName, "tags", which)?.tags.push(tag);
    }
    for (const { featureName, environment, enabled, variants } of featureEnvironments) {
      const feature = findOrReport(featureName, "environments", `${environment} of ${featureName}`);
      if (!feature) continue;
      const { name, environments } = feature;
      const { issues } = validate(projectStateSchema, { id: feature.project, environments: [environment] });
      if (issues) {
        omissions.add("environments", summarise(issues), environment);
        continue;
      }
      projects.get(feature.project)?.add(environment);
      const where = `${name} in ${environment}`;
      const given = featureStrategies.filter((one) => one.featureName === name);
      const strategies = isOfOne || given.length === 0 ? parseStrategies(given, segments) : manyEnvironments;
      // As it is it would be on for others: the environment stays as it is, and a new one is off.
      const why = children.has(name)
        ? "it depends on a parent feature, which Burgee has not"
        : strategies.issues && summarise(strategies.issues);
      const earlier = environments[environment];
      const list = variants && readVariants(variants, where, omissions);
      const all = { ...newContent, variants: list ?? [], strategies: strategies.value ?? [] };
      const whyNot = why ?? roomIssue(all);
      if (whyNot !== undefined) {
        omissions.add("strategies", `the environment is left as it is: ${whyNot}`, where);
        environments[environment] ??= {};
        continue;
      }
      environments[environment] = {
        enabled: enabled ?? earlier?.enabled,
        variants: list ?? earlier?.variants,
        strategies: strategies.value,
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
  now: Content,
  omissions: Omissions,
): Map<string, Feature> {
  const features = new Map<string, Feature>();
  for (const { name, project, archived } of exports.flatMap(({ features }) => features)) {
    const { issues } = validate(featureStateSchema, { name, project });
    const current = (features.get(name) ?? now.features.get(name))?.project ?? project;
    if (archived) omissions.add("features", "they are archived", name);
    else if (issues) omissions.add("features", summarise(issues), name);
    else if (current !== project) {
      const why = `they are in project "${current}" already, and cannot move to "${project}"`;
      omissions.add("features", why, name);
    } else if (!features.has(name)) {
      features.set(name, { name, project, tags: [], environments: {} });
    }
  }
  return features;
}

/** Takes a list as a whole or not at all: without one of its variants the others would get other weights. */
function readVariants(given: readonly unknown[], where: string, omissions: Omissions): Variant[] | undefined {
  const { value, issues } = parseExportedVariants(given);
  if (issues) omissions.add("variants", `not valid: ${summarise(issues)}`, where);
  return value;
}

/** With defaults for members that Unleash stores only where they were sent. */
export function parseExportedVariants(given: readonly unknown[]): Validated<Variant[]> {
  return validate(variantsStateSchema, given.map(withoutNulls));
}

const read = new Set(["features", "featureEnvironments", "featureTags", "featureStrategies", "segments"]);
const readOfFeatures = new Set(["name", "project", "archived"]);

/** Reports what an export has and Burgee does not keep. */
function reportNotKept(exported: UnleashExport, omissions: Omissions): void {
  for (const [list, entries] of Object.entries(exported)) {
    if (read.has(list) || !Array.isArray(entries)) continue;
    for (const [index, entry] of entries.entries()) {
      omissions.add(list, "not kept by Burgee", nameOf(entry) ?? `number ${index + 1}`);
    }
  }
  for (const { name, ...members } of exported.features) {
    for (const [member, value] of Object.entries(members)) {
      // Older versions of Unleash repeat a feature's variants outside its environments, mostly as an empty list.
      const saysNothing = !value || (Array.isArray(value) && value.length === 0);
      if (!saysNothing && !readOfFeatures.has(member)) omissions.add(member, "not kept for a feature", name);
    }
  }
}

/** Of the feature, or its own. */
function nameOf(entry: unknown): string | undefined {
  const { featureName, feature, name, id } = (entry ?? {}) as Record<string, unknown>;
  return [featureName, feature, name, id].find((one) => typeof one === "string");
}
