import { patchesSchema } from "../lib/contract/patch.ts";
import type { FeatureVariants } from "../lib/contract/variants.ts";
import { patchFeature } from "../lib/features/patch-feature.ts";
import { route } from "../lib/http/route.ts";
import { serve } from "../lib/http/serve.ts";
import { createService } from "../lib/service.ts";

/** Applies a JSON Patch to the variants of a feature in every environment, one after the other. */
const patchVariants = route({
  method: "PATCH",
  path: "/api/admin/projects/{projectId}/features/{featureName}/variants",
  permission: "UPDATE_FEATURE_VARIANTS",
  accepts: ["application/json", "application/json-patch+json"],
  body: patchesSchema,
  readAhead: ({ featureName }, { features }) => features.readFeature(featureName),
  async answer({ path: { projectId: project, featureName: feature }, body: patch, ahead, ...request }) {
    const { features: store, caller, stamp, patience } = request;
    const patching = { store, project, feature, patch, caller, stamp, patience };
    const environments = await patchFeature(await ahead, patching);
    return {
      status: 200,
      body: { version: 1, variants: environments[0]?.variants ?? [] } satisfies FeatureVariants,
      outcomes: environments,
    };
  },
});

export const handler = serve(createService(), [patchVariants]);
