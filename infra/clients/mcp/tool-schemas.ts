/** Defines what the tools of the MCP server take and return. */
import * as z from "zod/mini";
import { limits } from "../../../lib/contract/limits.ts";
import { jsonPatchSchema } from "../../../lib/contract/patch.ts";
import { changesSchema } from "../../../lib/contract/responses/changes.ts";
import * as responses from "../../../lib/contract/responses/features.ts";
import {
  featureWithEnvironmentsByNameSchema,
  listedFeatureSchema,
  projectSchema,
} from "../../../lib/contract/responses/lists.ts";
import { textOfLength } from "../../../lib/contract/shared-schemas.ts";
import { tagSchema } from "../../../lib/contract/tags.ts";
import { guardMinutes } from "../api/headers.ts";

const described = (description: string) => z.string().check(z.describe(description));
const count = (description: string) => z.int().check(z.describe(description));
const name = z.string();

/** Some clients send a placeholder to a tool that takes nothing. */
export const nothing = z.object({});
// The others refuse unknown arguments: a misspelled guard, or a dry run that a tool lacks, would be a plain write.
export const featureName = z.strictObject({ feature: name });
export const place = z.strictObject({
  project: name,
  feature: name,
  environment: z.optional(described("If absent, every environment of the feature.")),
});
export const listOptions = z.strictObject({
  project: name,
  after: z.optional(described("The `next` of the page before. If absent, the list begins.")),
  with: z.optional(
    z
      .literal("environments")
      .check(z.describe("Each feature has its switch, variants, strategies and guard in each environment.")),
  ),
});
const patchText = `A JSON Patch of what an environment has: "enabled", "variants" by name, "strategies" by id, "dependencies", "targeting".
{ "op": "remove", "path": "/variants/red" } removes a variant;
{ "op": "add", "path": "/strategies/gradual/parameters/rollout", "value": "25" } sets a rollout to 25 %.`;
const patch = jsonPatchSchema.check(z.describe(patchText));
export const requiredReason = textOfLength(1, limits.reasonLength).check(
  z.describe("Why, for the list of changes."),
);
const reason = z.optional(requiredReason);
export const guarded = {
  guard: z.optional(described("The name of a guard: an alarm that trips it undoes the change.")),
  minutes: z.optional(
    z
      .int()
      .check(
        z.minimum(guardMinutes.least),
        z.maximum(guardMinutes.most),
        z.describe(`For how long, ${guardMinutes.usual} by default.`),
      ),
  ),
};
export const proposal = z.extend(place, { patch, reason, ...guarded });
const to = z.enum(["on", "off"]).check(z.describe("What the feature is to be."));
export const switchProposal = z.extend(place, { to, reason, ...guarded });
const changeId = described("As list_changes has it.");
export const undo = z.extend(place, { change: changeId });
export const feature = z.omit(place, { environment: true });

const noted = z.object({ notice: z.string() });
const omitted = count("How many were left out at the end, as the result would be too large.");
export const projects = z.extend(noted, { projects: z.array(projectSchema), omitted });
const omittedTags = z.exactOptional(count("How many more tags the feature has: read_tags has them."));
const omittedEnvironments = z.exactOptional(
  count("How many environments were left out: read_variants has each alone."),
);
const { environments: names } = listedFeatureSchema.shape;
const { environments: contents } = featureWithEnvironmentsByNameSchema.shape;
export const features = z.extend(noted, {
  features: z.array(
    z.extend(listedFeatureSchema, {
      environments: z.union([names, contents]),
      omittedTags,
      omittedEnvironments,
    }),
  ),
  next: z.exactOptional(described("There are more features: send it as `after`.")),
});
export const tags = z.extend(noted, { tags: z.array(tagSchema), omitted });

const ofFeature = z.extend(noted, {
  etag: described("The ETag of the environments as they are stored."),
  omitted: z.array(described("An environment left out, as the result would be too large: ask for it alone.")),
});
const { environmentPreviewByNameSchema: preview, featureVariantsByNameSchema } = responses;
const inEnvironment = z.pick(preview, { environment: true, variants: true });
export const variants = z.extend(ofFeature, { environments: z.array(inEnvironment) });
export const wholeFeature = z.extend(ofFeature, {
  ...z.omit(responses.featureByNameSchema, { version: true, by: true }).shape,
  etag: described("The ETag of the whole feature."),
  omittedTags,
});
export const changes = z.extend(ofFeature, changesSchema.shape);
const { environment, outcome, moves, difference, hint, message, issues } =
  responses.patchedEnvironmentSchema.shape;
/** Who moves comes first: an agent may read no further. */
const previewed = z.object({ environment, outcome, moves, difference, hint, message, issues });
export const previewResult = z.extend(ofFeature, {
  environments: z.array(previewed),
  missingPermissions: featureVariantsByNameSchema.shape.missingPermissions,
  link: z.exactOptional(described("Opens it on a page, for a person to apply.")),
  noLink: z.exactOptional(described("Why there is no link.")),
});

export const written = z.extend(noted, {
  environment: z.string(),
  outcome: z.enum(["patched", "unchanged"]),
  moves: z
    .nullable(z.number())
    .check(z.describe("The share of its users who get something else; null: it cannot be computed.")),
  change: z.exactOptional(described("The id of the change: undo_change undoes it.")),
  hint: z.exactOptional(z.string()),
});
