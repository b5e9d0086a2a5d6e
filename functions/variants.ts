/** The routes that read and patch the variants of a feature. */
import { type Patch, patchesSchema } from "../lib/contract/patch.ts";
import type { Permission } from "../lib/contract/permissions.ts";
import type { Variant, VariantForm } from "../lib/contract/variants.ts";
import { combinedEtag, featureEtag } from "../lib/features/etag.ts";
import type { Target } from "../lib/features/feature.ts";
import { type FeaturePatch, patchFeature } from "../lib/features/patch-feature.ts";
import { idempotentRequest, readEnvironments } from "../lib/features/preconditions.ts";
import { previewPatch } from "../lib/features/preview-patch.ts";
import type { VariantReader, VariantStore } from "../lib/features/stores.ts";
import { toDocument } from "../lib/features/variant-list.ts";
import { createHandler } from "../lib/http/handler.ts";
import { type Answer, type Request, route } from "../lib/http/route.ts";
import { createService } from "../lib/service.ts";
import { createVariantStore } from "../lib/store/variant-store.ts";

const featurePath = "/api/admin/projects/{projectId}/features/{featureName}";
const inEveryEnvironment = `${featurePath}/variants` as const;
const inOneEnvironment = `${featurePath}/environments/{environment}/variants` as const;
const featurePermission: Permission = "UPDATE_FEATURE_VARIANTS";
const environmentPermission: Permission = "UPDATE_FEATURE_ENVIRONMENT_VARIANTS";

interface Path {
  /** The id of the project. */
  projectId: string;
  /** The name of the feature; case-sensitive. */
  featureName: string;
  /** The name of the environment; case-sensitive. */
  environment?: string;
}

const getVariants = {
  method: "GET",
  permission: "any",
  query: ["by"],
  async run({ path, options, store }: Request<VariantReader, Path, unknown>): Promise<Answer> {
    const environments = await readEnvironments(store, toTarget(path));
    return {
      status: 200,
      etag: featureEtag(environments),
      body: featureVariants(environments, options.by),
    };
  },
} as const;

const patchVariants = {
  method: "PATCH",
  query: ["dryRun", "by"],
  headers: ["prefer", "if-match", "idempotency-key"],
  body: { accepts: ["application/json", "application/json-patch+json"], schema: patchesSchema },
  async run({
    path,
    body: patch,
    caller,
    options,
    stamp,
    store,
    clock,
  }: Request<VariantStore, Path, Patch>): Promise<Answer> {
    const { dryRun, by: form, strict, precondition, idempotencyKey } = options;
    const target = toTarget(path);
    const idempotency =
      idempotencyKey === undefined
        ? undefined
        : idempotentRequest(idempotencyKey, caller, [target, form, patch]);
    const request = {
      target,
      patch,
      form,
      caller,
      permission: environmentPermission,
      stamp,
      precondition,
      idempotency,
    };
    if (dryRun) return preview(store, request, strict);
    const environments = await patchFeature(store, clock, request);
    return {
      status: 200,
      etag: combinedEtag(environments),
      body: featureVariants(environments, form),
      outcomes: environments,
    };
  },
} as const;

async function preview(store: VariantReader, request: FeaturePatch, strict: boolean): Promise<Answer> {
  const { form } = request;
  const { environments, etag } = await previewPatch(store, request, { strict });
  return {
    status: 200,
    etag,
    ...(strict && { headers: { "preference-applied": "handling=strict" } }),
    body: {
      ...featureVariants(environments, form),
      environments: environments.map((one) => ({ ...one, variants: toDocument(one.variants, form) })),
    },
    outcomes: environments,
  };
}

function toTarget({ projectId: project, featureName: feature, environment }: Path): Target {
  return { project, feature, environment };
}

/** The variants of the first environment in the project's order. */
function featureVariants([first]: readonly { variants: Variant[] }[], form: VariantForm) {
  return { version: 1, variants: toDocument(first?.variants ?? [], form) };
}

/** By operation ID; the OpenAPI document quotes the comments. */
export const routes = {
  /**
   * Get the variants of a feature in its first environment.
   *
   * That is the first in the project's order; the `etag` covers all environments. To see all of them, send an empty
   * patch as a dry run.
   */
  getFeatureVariants: route({ ...getVariants, path: inEveryEnvironment }),

  /**
   * Patch the variants of a feature in every environment.
   *
   * Patches one environment after the other, in the project's order; one that the patch does not change is not written.
   * The response has the variants of the first.
   *
   * **The patch is not atomic over the environments.** The first failure stops it: environments before it stay patched,
   * those after it are untouched, and `details` lists each as `patched`, `unchanged`, `failed` or `not attempted`.
   * Within one environment it is atomic. To be safe, send a dry run first, its `etag` as `If-Match`, and an idempotency
   * key.
   *
   * `UPDATE_FEATURE_ENVIRONMENT_VARIANTS` is required in each environment of the feature as well; all permissions are
   * checked before anything is written.
   */
  patchFeatureVariants: route({ ...patchVariants, path: inEveryEnvironment, permission: featurePermission }),

  /**
   * Get the variants of a feature in one environment.
   *
   * The `etag` covers this environment alone.
   */
  getEnvironmentFeatureVariants: route({ ...getVariants, path: inOneEnvironment }),

  /**
   * Patch the variants of a feature in one environment.
   *
   * Applies the patch in one atomic change.
   */
  patchEnvironmentsFeatureVariants: route({
    ...patchVariants,
    path: inOneEnvironment,
    permission: environmentPermission,
  }),
};

export const handler = createHandler(createService(createVariantStore), Object.values(routes));
