/** Converts exports of Unleash, one for each environment, into one state. */
import type { Dependency, Strategy } from "../../../../lib/contract/strategies.ts";
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
type Environment = Feature["environments"][string];
type ExportedEnvironment = UnleashExport["featureEnvironments"][number];

/** What was converted so far. The functions for the parts of an export (`take…`) add to it. */
interface Conversion {
  features: ReadonlyMap<string, Feature>;
  /** The environments of each project of a feature that is taken. */
  projects: ReadonlyMap<string, Set<string>>;
  /** The names of all features in the exports, also of those that are left out. */
  listed: ReadonlySet<string>;
  segments: Segments;
  omissions: Omissions;
}

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
  const conversion: Conversion = { features, projects, listed, segments, omissions };
  for (const exported of exports) {
    takeTags(exported, conversion);
    takeEnvironments(exported, conversion);
  }
  for (const exported of exports) reportNotKept(exported, omissions);
  return {
    projects: [...projects].map(([id, environments]) => ({ id, environments: [...environments] })),
    features: [...features.values()],
    apiKeys: [],
  };
}

function takeTags({ featureTags }: UnleashExport, conversion: Conversion): void {
  for (const { featureName, tagType: type, tagValue: value } of featureTags) {
    const { value: tag, issues } = validate(tagSchema, { type, value });
    const which = `${type}:${value} of ${featureName}`;
    if (issues) conversion.omissions.add({ what: "tags", why: summarise(issues), which });
    else findOrReport(featureName, "tags", which, conversion)?.tags.push(tag);
  }
}

function takeEnvironments(exported: UnleashExport, conversion: Conversion): void {
  const { featureEnvironments } = exported;
  const isOfOne = new Set(featureEnvironments.map(({ environment }) => environment)).size < 2;
  for (const given of featureEnvironments) {
    const { featureName, environment } = given;
    const which = `${environment} of ${featureName}`;
    const feature = findOrReport(featureName, "environments", which, conversion);
    if (feature && addToProject(environment, feature, conversion)) {
      const strategies = convertStrategiesOf(feature.name, exported, isOfOne, conversion);
      const parents = parseParents(exported, feature.name);
      const converted = convertEnvironment(given, feature, { strategies, parents }, conversion);
      feature.environments[environment] = converted;
    }
  }
}

/** Reports what has no feature. If a feature was left out, the reason is reported with the feature. */
function findOrReport(
  name: string,
  what: string,
  which: string,
  { features, listed, omissions }: Conversion,
): Feature | undefined {
  if (!listed.has(name)) omissions.add({ what, why: "their feature is not in the export", which });
  return features.get(name);
}

/** Returns whether the environment can be one of the feature's project. */
function addToProject(
  environment: string,
  { project }: Feature,
  { projects, omissions }: Conversion,
): boolean {
  const { issues } = validate(projectStateSchema, { id: project, environments: [environment] });
  if (issues) omissions.add({ what: "environments", why: summarise(issues), which: environment });
  else projects.get(project)?.add(environment);
  return issues === undefined;
}

function convertStrategiesOf(
  feature: string,
  { featureStrategies }: UnleashExport,
  isOfOneEnvironment: boolean,
  { segments }: Conversion,
): Validated<Strategy[]> {
  const given = featureStrategies.filter(({ featureName }) => featureName === feature);
  return isOfOneEnvironment || given.length === 0 ? convertStrategies(given, segments) : manyEnvironments;
}

const manyEnvironments = {
  issues: [
    {
      path: "",
      message: "has strategies, and the file has several environments: export each into a file of its own",
    },
  ],
};

/**
 * Leaves an environment as it is where its strategies or parents are invalid: without them, users would get the feature whom
 * they exclude. A new environment is then off.
 */
function convertEnvironment(
  { environment, enabled, variants }: ExportedEnvironment,
  { name, environments }: Feature,
  { strategies, parents }: { strategies: Validated<Strategy[]>; parents: Validated<Dependency[]> },
  { omissions }: Conversion,
): Environment {
  const where = `${name} in ${environment}`;
  const earlier = environments[environment];
  const list = variants && readVariants(variants, where, omissions);
  const forWhom = { strategies: strategies.value ?? [], dependencies: parents.value ?? [] };
  const leaveAsItIs = (what: string, why: string) => {
    omissions.add({ what, why: `the environment is left as it is: ${why}`, which: where });
    return earlier ?? {};
  };
  if (strategies.issues) return leaveAsItIs("strategies", summarise(strategies.issues));
  if (parents.issues) return leaveAsItIs("dependencies", summarise(parents.issues));
  const tooLarge = roomIssue({ ...forWhom, variants: list ?? [] });
  if (tooLarge !== undefined) return leaveAsItIs("environments", tooLarge);
  return { enabled: enabled ?? earlier?.enabled, variants: list ?? earlier?.variants, ...forWhom };
}

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
