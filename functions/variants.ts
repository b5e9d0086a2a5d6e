import { type Patch, patchesSchema } from "../lib/contract/patch.ts";
import type { Preview } from "../lib/contract/preview.ts";
import type { FeatureVariants } from "../lib/contract/variants.ts";
import { entityTag, statesTag } from "../lib/features/entity-tag.ts";
import type { Feature, Target } from "../lib/features/feature.ts";
import { requestKey } from "../lib/features/keyed-write.ts";
import { patchFeature } from "../lib/features/patch-feature.ts";
import { previewPatch } from "../lib/features/preview-patch.ts";
import { requireEnvironments } from "../lib/features/require-environments.ts";
import { type Answer, type Request, route } from "../lib/http/route.ts";
import { serve } from "../lib/http/serve.ts";
import { createService, type Invocation } from "../lib/service.ts";

const featurePath = "/api/admin/projects/{projectId}/features/{featureName}";
const inEveryEnvironment = `${featurePath}/variants` as const;
const inOneEnvironment = `${featurePath}/environments/{environment}/variants` as const;

interface Path {
  projectId: string;
  featureName: string;
  environment?: string;
}

const getVariants = {
  method: "GET",
  permission: "any",
  readAhead,
  async answer({ path, ahead }: Request<Path, unknown, Feature | undefined>): Promise<Answer> {
    const environments = requireEnvironments(await ahead, toTarget(path));
    return { status: 200, headers: etag(statesTag(environments)), body: featureVariants(environments) };
  },
} as const;

/** Applies a JSON Patch to the variants of a feature: in every environment, one after the other, or in one. */
const patchVariants = {
  method: "PATCH",
  takes: ["dryRun", "precondition", "idempotencyKey"],
  body: { accepts: ["application/json", "application/json-patch+json"], schema: patchesSchema },
  readAhead,
  async answer(request: Request<Path, Patch, Feature | undefined>): Promise<Answer> {
    const { path, body: patch, features: store, caller, stamp, patience, asked } = request;
    const { dryRun, precondition, idempotencyKey } = asked;
    const keyed = idempotencyKey === undefined ? undefined : requestKey(idempotencyKey, caller, patch);
    const patching = { store, target: toTarget(path), patch, caller, stamp, patience, precondition, keyed };
    if (dryRun) {
      const { environments, tag } = await previewPatch(await request.ahead, patching);
      const preview = { ...featureVariants(environments), environments } satisfies Preview;
      return { status: 200, headers: etag(tag), body: preview, outcomes: environments };
    }
    const environments = await patchFeature(await request.ahead, patching);
    return {
      status: 200,
      headers: etag(entityTag(environments)),
      body: featureVariants(environments),
      outcomes: environments,
    };
  },
} as const;

/** Of all environments, or of the one that the path names. */
function readAhead(path: Path, { features }: Invocation): Promise<Feature | undefined> {
  return features.readFeature(toTarget(path));
}

function toTarget({ projectId: project, featureName: feature, environment }: Path): Target {
  return { project, feature, environment };
}

function etag(tag: string): Record<string, string> {
  return { etag: `"${tag}"` };
}

/** The variants of the first environment in the project's order. */
function featureVariants([first]: readonly Pick<FeatureVariants, "variants">[]): FeatureVariants {
  return { version: 1, variants: first?.variants ?? [] };
}

export const handler = serve(createService(), [
  route({ ...getVariants, path: inEveryEnvironment }),
  route({ ...patchVariants, path: inEveryEnvironment, permission: "UPDATE_FEATURE_VARIANTS" }),
  route({ ...getVariants, path: inOneEnvironment }),
  route({ ...patchVariants, path: inOneEnvironment, permission: "UPDATE_FEATURE_ENVIRONMENT_VARIANTS" }),
]);
