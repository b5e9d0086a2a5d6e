/**
 * Converts flags of flagd into features of one environment. The document stays as it is, but for marks: each says where
 * the feature's variants have their place in a targeting.
 */
import { isDeepStrictEqual } from "node:util";
import { summarise, type Validated, validate } from "../../../lib/contract/validate.ts";
import type { Variant } from "../../../lib/contract/variants.ts";
import { exactTypeOf, formatExactly } from "../../../lib/documents/exact-json.ts";
import { type Flag, type FlagdDocument, flagd } from "../../../lib/documents/flagd.ts";
import { toTargeting } from "../../../lib/documents/flagd-targeting.ts";
import type { ServedFeature } from "../../../lib/documents/format.ts";
import type { Subject } from "../../../lib/documents/formats.ts";
import { createOmissions, type Omissions } from "../../../lib/documents/left-out.ts";
import { byName } from "../../../lib/features/variant-list.ts";
import { featureStateSchema, variantsStateSchema } from "../../state/schemas.ts";
import type { Content } from "../../store/content.ts";
import type { WantedState } from "../../store/merge.ts";
import { findPlace, replaceAt, type WeightsPlace } from "./find-place.ts";

interface Converted {
  flag: Flag;
  /** Undefined where Burgee cannot have them: they stay as they are stored. */
  variants?: Variant[];
}

export function convertFlags(
  document: FlagdDocument,
  { project, environment }: Omit<Subject, "format">,
  { features: stored }: Content,
  omissions: Omissions,
): { wanted: WantedState; document: FlagdDocument } {
  const features: WantedState["features"] = [];
  const flags = Object.entries(document.flags).map(([name, flag]) => {
    const issue = featureIssue(name, project, stored);
    if (issue !== undefined) {
      omissions.add("features", issue, name);
      return [name, flag];
    }
    const converted = convertFlag(name, flag, omissions);
    const environments = { [environment]: { enabled: isOn(flag), variants: converted.variants } };
    features.push({ name, project, tags: [], environments });
    return [name, converted.flag];
  });
  for (const name of Object.keys(document.$evaluators ?? {})) omissions.add("$evaluators", ofDocument, name);
  const projects = [{ id: project, environments: [environment] }];
  return {
    wanted: { projects, features, apiKeys: [] },
    document: { ...document, flags: Object.fromEntries(flags) },
  };
}

const ofDocument = "kept in the stored document alone";

function featureIssue(name: string, project: string, stored: Content["features"]): string | undefined {
  const { issues } = validate(featureStateSchema, { name, project });
  if (issues) return summarise(issues);
  const current = stored.get(name)?.project ?? project;
  if (current === project) return undefined;
  return `they are in project "${current}" already, and cannot move to "${project}"`;
}

function convertFlag(name: string, flag: Flag, omissions: Omissions): Converted {
  const leaveOut = (why: string): Converted => {
    omissions.add("variants", `${ofDocument}: ${why}`, name);
    return { flag };
  };
  if (Object.values(flag.variants).some((value) => typeof value === "boolean"))
    return leaveOut("the flag is Boolean");
  const place = findPlace(name, flag);
  if (!place) return leaveOut("the targeting has no place for them");
  const { value: variants, issues } = toVariants(flag, place);
  if (issues) return leaveOut(summarise(issues));
  const rule = toTargeting(featureOf(name, flag, variants), createOmissions());
  const targeting = place.isMarked ? flag.targeting : replaceAt(flag.targeting, place.path, rule);
  const marked = { ...flag, targeting };
  if (!isServedAs(name, marked, variants)) return leaveOut("converted back, they would change the flag");
  reportDifferences(name, place, variants, omissions);
  return { flag: marked, variants };
}

/** In the order of the shares: by another order, users would get other variants. */
function toVariants(flag: Flag, { weights, stickiness }: WeightsPlace): Validated<Variant[]> {
  const names = [...new Set([...weights.keys(), ...Object.keys(flag.variants)])];
  const weightOf = (variant: string) => weights.get(variant) ?? 0;
  const heaviest = names.reduce((most, one) => (weightOf(one) > weightOf(most) ? one : most));
  const isNamed = names.every((name) => flag.variants[name] === name);
  const variants = names.map((name) => ({
    name,
    weight: weightOf(name),
    // One takes what the others leave, so that a patch of one weight changes no other.
    weightType: name === heaviest ? "variable" : "fix",
    stickiness,
    ...(!isNamed && toPayload(flag.variants[name])),
  }));
  return validate(variantsStateSchema, variants);
}

function reportDifferences(
  name: string,
  { path, stickiness, isRounded }: WeightsPlace,
  variants: readonly Variant[],
  omissions: Omissions,
): void {
  if (path.length > 0) omissions.add("targeting", ofDocument, name);
  if (isRounded) omissions.add("weights", "rounded to thousandths: a few users get another variant", name);
  if (stickiness !== "default") {
    omissions.add("stickiness", "users without that attribute get the default variant", name);
  }
  const spread = variants.filter(({ weight }) => weight > 0);
  if (!isDeepStrictEqual(spread, spread.toSorted(byName))) {
    omissions.add("order", "a patch sorts them by name: many users get another variant, once", name);
  }
}

/** An empty text becomes no payload: payloads cannot be empty, and a variant without one is served as an empty text. */
function toPayload(value: unknown): { payload?: Variant["payload"] } {
  const type = exactTypeOf(value);
  if (value === "") return {};
  if (type === "string") return { payload: { type: "string", value: String(value) } };
  return {
    payload: { type: type === "number" ? "number" : "json", value: formatExactly([value]).slice(1, -1) },
  };
}

/** Whether the document that SDKs load, with the converted variants in it, has exactly this flag. */
function isServedAs(name: string, flag: Flag, variants: readonly Variant[]): boolean {
  const feature = featureOf(name, flag, variants);
  const omissions = createOmissions();
  const served = flagd.into({ flags: { [name]: flag } }, [feature], omissions);
  const areTaken = !omissions.list().some(({ what }) => what === "variants");
  // A flag without a state is on, as SDKs see it.
  const expected = { flags: { [name]: { state: "ENABLED", ...flag } } };
  return areTaken && isDeepStrictEqual(plain(served), plain(expected));
}

function featureOf(name: string, flag: Flag, variants: readonly Variant[]): ServedFeature {
  return { name, project: "", enabled: isOn(flag), variants };
}

function isOn({ state }: Flag): boolean {
  return state !== "DISABLED";
}

function plain(document: object): unknown {
  return JSON.parse(formatExactly(document));
}
