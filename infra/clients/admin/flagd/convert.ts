/** Converts flags of flagd into features of one environment. */
import { isDeepStrictEqual } from "node:util";
import * as z from "zod/mini";
import { findJsonIssues } from "../../../../lib/contract/json.ts";
import { type Targeting, targetingSchema } from "../../../../lib/contract/strategies.ts";
import { summarise, validate } from "../../../../lib/contract/validate.ts";
import { type Variant, weightTotal } from "../../../../lib/contract/variants.ts";
import { toFlag } from "../../../../lib/documents/flagd.ts";
import { createOmissions, type Omissions } from "../../../../lib/documents/omissions.ts";
import { emptyContent, formatTargeting } from "../../../../lib/features/model.ts";
import { roomIssue } from "../../../../lib/features/patch/content-size.ts";
import { compareByName } from "../../../../lib/features/patch/variant-list.ts";
import { featureStateSchema, variantsStateSchema } from "../../../state/state-file-schemas.ts";
import type { TableContent } from "../../../store/content.ts";
import type { WantedState } from "../../../store/merge.ts";

const flagSchema = z.looseObject({
  state: z.optional(z.string()),
  variants: z.record(z.string(), z.unknown()),
  defaultVariant: z.optional(z.nullable(z.string())),
  targeting: z.optional(z.nullable(z.record(z.string(), z.unknown()))),
});

export const definitionSchema = z.looseObject({
  flags: z.record(z.string(), flagSchema),
  $evaluators: z.optional(z.record(z.string(), z.unknown())),
});

export type FlagdDefinition = z.infer<typeof definitionSchema>;
type Flag = z.infer<typeof flagSchema>;

export function convertFlags(
  { flags, $evaluators = {}, metadata }: FlagdDefinition,
  { project, environment }: { project: string; environment: string },
  { features: stored }: TableContent,
  omissions: Omissions,
): WantedState {
  if (metadata !== undefined)
    omissions.add({ what: "metadata", why: "not kept by Burgee", which: "of the definition" });
  const features = Object.entries(flags).flatMap(([name, flag]): WantedState["features"] => {
    const { issues } = validate(featureStateSchema, { name, project });
    const current = stored.get(name)?.project ?? project;
    const elsewhere = `they are in project "${current}" already, and cannot move to "${project}"`;
    const why = issues ? summarise(issues) : current === project ? undefined : elsewhere;
    if (why !== undefined) {
      omissions.add({ what: "features", why, which: name });
      return [];
    }
    if (flag.metadata !== undefined)
      omissions.add({ what: "metadata", why: "not kept by Burgee", which: name });
    const content = toContent(name, flag, $evaluators, omissions);
    return content ? [{ name, project, tags: [], environments: { [environment]: content } }] : [];
  });
  return { projects: [{ id: project, environments: [environment] }], features, apiKeys: [] };
}

/** Keeps flagd's logic only if it differs from what Burgee makes of the variants. */
function toContent(name: string, flag: Flag, evaluators: Record<string, unknown>, omissions: Omissions) {
  const enabled = flag.state !== "DISABLED";
  const logic = inlined(flag.targeting ?? {}, evaluators);
  const omit = (why: string): undefined => {
    omissions.add({ what: "features", why, which: name });
  };
  if (logic === undefined) return omit("they refer to $evaluators that are missing or refer to themselves");
  const jsonIssues = findJsonIssues({ variants: flag.variants, targeting: logic });
  if (jsonIssues.length > 0) return omit(`not valid: ${summarise(jsonIssues)}`);
  const { variants, refused } = toVariants({ ...flag, targeting: logic });
  const served = toFlag({ ...emptyContent, name, project: "", enabled, variants }, createOmissions());
  const given = { variants: flag.variants, defaultVariant: flag.defaultVariant ?? null, targeting: logic };
  if (served && isDeepStrictEqual(comparable(served), comparable(given))) {
    return { enabled, variants, strategies: [], dependencies: [], targeting: null };
  }
  const hasValues = served !== undefined && isDeepStrictEqual(served.variants, flag.variants);
  const { value: targeting, issues } = validate(targetingSchema, {
    ...(Object.keys(logic).length > 0 && { targeting: logic }),
    defaultVariant: flag.defaultVariant ?? null,
    ...(!hasValues && { variants: flag.variants }),
  } satisfies Targeting);
  const stored = hasValues ? variants : [];
  const why = issues
    ? summarise(issues)
    : roomIssue({ variants: stored, targeting: formatTargeting(targeting) });
  if (issues || why !== undefined) return omit(`not valid: ${why}`);
  if (refused !== undefined)
    omissions.add({ what: "variants", why: `kept as flagd's own values: ${refused}`, which: name });
  return { enabled, variants: stored, strategies: [], dependencies: [], targeting };
}

interface Rules {
  variants: unknown;
  defaultVariant?: unknown;
  targeting?: unknown;
}

/**
 * Returns equal objects for rules that serve the same: shares are thousandths, and what is always served is `always`.
 * Users without a targeting key have no bucket, and get the default.
 */
function comparable({ variants, defaultVariant, targeting }: Rules) {
  const { fractional, if: branches } = Object(targeting);
  const buckets = Array.isArray(fractional) ? toThousandths(fractional) : undefined;
  if (buckets) return { variants, buckets, defaultVariant };
  const always =
    Array.isArray(branches) && branches.length === 2 && branches[0] === true ? branches[1] : undefined;
  const isOnlyDefault = Object.keys(targeting ?? {}).length === 0;
  return isOnlyDefault || always !== undefined
    ? { variants, always: always ?? defaultVariant }
    : { variants, defaultVariant, targeting };
}

function toThousandths(buckets: readonly unknown[]) {
  if (!buckets.every(isBucket)) return undefined;
  const total = buckets.reduce((sum, [, weight = 1]) => sum + weight, 0);
  return buckets.map(([name, weight = 1]) => [name, (weight * weightTotal) / total]);
}

function isBucket(given: unknown): given is [string, number?] {
  if (!Array.isArray(given) || given.length > 2) return false;
  const [name, weight = 1] = given;
  return typeof name === "string" && Number.isInteger(weight) && weight > 0;
}

/** Returns the variants sorted by name; none if Burgee's variants cannot have their values, or if a limit refuses them. */
function toVariants({ variants, defaultVariant, targeting }: Flag): {
  variants: Variant[];
  refused?: string;
} {
  const { fractional } = targeting ?? {};
  const shares = Array.isArray(fractional) ? toThousandths(fractional) : undefined;
  const areWhole = shares?.every(([, weight]) => Number.isInteger(weight));
  const buckets = shares && areWhole ? shares : [[defaultVariant ?? null, weightTotal] as const];
  const weights = new Map(buckets.map(([name, weight]) => [name, Number(weight)] as const));
  const names = [...new Set([...weights.keys(), ...Object.keys(variants)])].filter((name) => name != null);
  const areNamedByValue = names.every((name) => variants[String(name)] === name);
  const isBooleanOrAbsent = (name: unknown) =>
    ["boolean", "undefined"].includes(typeof variants[String(name)]);
  // No payload has a Boolean.
  if (weights.has(null) || names.some(isBooleanOrAbsent)) return { variants: [] };
  const heaviest = Math.max(...weights.values());
  let hasVariable = false;
  const list = names.map((name) => {
    const weight = weights.get(name) ?? 0;
    const isVariable = weight === heaviest && !hasVariable;
    hasVariable ||= isVariable;
    const payload = areNamedByValue ? undefined : toPayload(variants[String(name)]);
    return { name, weight, weightType: isVariable ? "variable" : "fix", ...(payload && { payload }) };
  });
  const { value, issues } = validate(variantsStateSchema, list);
  if (!issues) return { variants: value.sort(compareByName) };
  const nameAt = (_: string, index: string) => `"${names[Number(index)]}": `;
  return { variants: [], refused: summarise(issues.slice(0, 1)).replace(/^\/(\d+)\//, nameAt) };
}

function toPayload(value: unknown): Variant["payload"] {
  if (value === "") return undefined;
  if (typeof value === "string") return { type: "string", value };
  if (typeof value === "number") return { type: "number", value: JSON.stringify(value) };
  return { type: "json", value: JSON.stringify(value) };
}

/** Puts the logic in the place of each `$ref`. Returns undefined if there is none for one, or if it refers to itself. */
function inlined(
  logic: Record<string, unknown>,
  evaluators: Record<string, unknown>,
): Record<string, unknown> | undefined {
  const within: string[] = [];
  class Unresolvable extends Error {}
  const expand = (value: unknown): unknown => {
    if (typeof value !== "object" || value === null) return value;
    if (Array.isArray(value)) return value.map(expand);
    const { $ref, ...rest } = value as Record<string, unknown>;
    if (typeof $ref !== "string" || Object.keys(rest).length > 0) {
      return Object.fromEntries(Object.entries(value).map(([member, one]) => [member, expand(one)]));
    }
    if (within.includes($ref) || !Object.hasOwn(evaluators, $ref)) throw new Unresolvable();
    within.push($ref);
    const expanded = expand(evaluators[$ref]);
    within.pop();
    return expanded;
  };
  try {
    return expand(logic) as Record<string, unknown>;
  } catch (error) {
    if (error instanceof Unresolvable) return undefined;
    throw error;
  }
}
