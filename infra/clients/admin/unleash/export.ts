/** Parses an export of Unleash: the parts that an import reads. */
import * as z from "zod/mini";
import { findJsonIssues } from "../../../../lib/contract/json.ts";
import { validate } from "../../../../lib/contract/validate.ts";
import { andMore } from "../../../cli/output.ts";
import { printable } from "../../../cli/printable.ts";
import { Refusal } from "../../../cli/refusal.ts";

const featureSchema = z.looseObject({
  name: z.string(),
  project: z._default(z.string(), "default"),
  archived: z._default(z.boolean(), false),
});

const featureEnvironmentSchema = z.looseObject({
  featureName: z.string(),
  environment: z.string(),
  enabled: z.optional(z.boolean()),
  /** Validated one by one, so that an invalid list does not fail the import. */
  variants: z.optional(z.nullable(z.array(z.unknown()))),
});

const featureTagSchema = z.looseObject({
  featureName: z.string(),
  tagType: z.string(),
  tagValue: z.string(),
});

const reference = z.union([z.number(), z.string()]);

export const strategySchema = z.looseObject({
  /** Validated by `convertStrategies`. */
  id: z.optional(z.unknown()),
  name: z.optional(z.unknown()),
  title: z.nullish(z.string()),
  disabled: z.nullish(z.boolean()),
  sortOrder: z.nullish(z.number()),
  parameters: z.nullish(z.record(z.string(), z.unknown())),
  constraints: z.nullish(z.array(z.unknown())),
  variants: z.nullish(z.array(z.unknown())),
  segments: z.nullish(z.array(reference)),
});

const featureStrategySchema = z.extend(strategySchema, { featureName: z.string() });

/** The parents of a feature, validated with its environments. */
const dependencySchema = z.looseObject({
  feature: z.string(),
  dependencies: z._default(z.array(z.unknown()), []),
});

/** The parts that are read of an export by `POST /api/admin/features-batch/export`, alike in Unleash 6, 7 and 8. */
const unleashExportSchema = z.looseObject({
  features: z.array(featureSchema),
  featureEnvironments: z.array(featureEnvironmentSchema),
  featureTags: z._default(z.array(featureTagSchema), []),
  featureStrategies: z._default(z.array(featureStrategySchema), []),
  segments: z._default(z.array(z.looseObject({ id: reference, name: z.optional(z.string()) })), []),
  /** Parents, on which it depends whether SDKs see a feature on. */
  dependencies: z._default(z.array(dependencySchema), []),
});

export type UnleashExport = z.infer<typeof unleashExportSchema>;
export type ExportedStrategy = z.infer<typeof strategySchema>;

/** Returns the names of the features that are listed and not archived: what the exports have of others is left out. */
export function unarchivedNames(exports: readonly UnleashExport[]): ReadonlySet<string> {
  const features = exports.flatMap((one) => one.features);
  return new Set(features.filter(({ archived }) => !archived).map(({ name }) => name));
}

/** `source` names the origin of the export in the message. */
export function parseExport(input: unknown, source: string): UnleashExport {
  const { value, issues = [] } = validate(unleashExportSchema, input);
  // Parts that are not read are not validated.
  const { features, featureEnvironments, featureTags } = value ?? {};
  const all = [...issues, ...findJsonIssues({ features, featureEnvironments, featureTags })];
  if (value && all.length === 0) return value;
  const lines = all.map(({ path, message }) => printable(`${path || "/"} ${message}`));
  throw new Refusal(`${source} is not an export of Unleash's features:\n${andMore(lines, 20, "  ")}`);
}
