/** The parts that are read of an export by `POST /api/admin/features-batch/export` of Unleash 6.10.1. */
import * as z from "zod/mini";
import { list } from "../../../lib/contract/zod-extensions.ts";

const featureSchema = z.looseObject({
  name: z.string(),
  project: z._default(z.string(), "default"),
  archived: z._default(z.boolean(), false),
});

const featureEnvironmentSchema = z.looseObject({
  featureName: z.string(),
  environment: z.string(),
  /** Validated one by one, so that an invalid list does not fail the import. */
  variants: z.optional(z.nullable(z.array(z.unknown()))),
});

const featureTagSchema = z.looseObject({
  featureName: z.string(),
  tagType: z.string(),
  tagValue: z.string(),
});

export const unleashExportSchema = z.looseObject({
  features: list(featureSchema),
  featureEnvironments: list(featureEnvironmentSchema),
  featureTags: z._default(list(featureTagSchema), []),
});

export type UnleashExport = z.infer<typeof unleashExportSchema>;
