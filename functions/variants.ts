/** The routes that read, patch and undo changes of the variants of a feature. */
import * as z from "zod/mini";
import type { MissingPermission } from "../lib/access/permissions.ts";
import { type Patch, patchesSchema } from "../lib/contract/patch.ts";
import type { Variant, VariantForm } from "../lib/contract/variants.ts";
import type { Outcome } from "../lib/features/change-environment.ts";
import {
  type ChangeRequest,
  changeFeature,
  previewFeature,
  toPreview,
} from "../lib/features/change-feature.ts";
import { environmentPermission, featurePermission, readEnvironments } from "../lib/features/checks.ts";
import { etagOf } from "../lib/features/etag.ts";
import type { States, Target } from "../lib/features/feature.ts";
import { listChanges } from "../lib/features/list-changes.ts";
import { planPatch } from "../lib/features/plan-patch.ts";
import { planUndo } from "../lib/features/plan-undo.ts";
import type { VariantReader, VariantStore } from "../lib/features/stores.ts";
import { toDocument } from "../lib/features/variant-list.ts";
import { createHandler } from "../lib/http/handler.ts";
import { type Answer, type Request, route } from "../lib/http/route.ts";
import { createService } from "../lib/service.ts";
import { createVariantStore } from "../lib/store/variant-store.ts";

const featurePath = "/api/admin/projects/{projectId}/features/{featureName}";
const inEveryEnvironment = `${featurePath}/variants` as const;
const inOneEnvironment = `${featurePath}/environments/{environment}/variants` as const;
const changesOf = <const Path extends string>(path: Path) => `${path}/changes` as const;
const undoIn = <const Path extends string>(path: Path) => `${path}/changes/{changeId}/undo` as const;

interface FeaturePath {
  /** The id of the project. */
  projectId: string;
  /** The name of the feature; case-sensitive. */
  featureName: string;
  /** The name of the environment; case-sensitive. */
  environment?: string;
}

interface UndoPath extends FeaturePath {
  /** The id of the change, from the header `burgee-change` or the list of changes. */
  changeId: string;
}

/** A GET whose body is made of the environments as they are read. */
function reading(toBody: (environments: States, form: VariantForm) => unknown) {
  return {
    method: "GET",
    permission: "any",
    query: ["by"],
    async run({ path, options, store }: Request<VariantReader, FeaturePath, unknown>): Promise<Answer> {
      const target = toTarget(path);
      const environments = await readEnvironments(store, target);
      return { status: 200, etag: etagOf(target, environments), body: toBody(environments, options.by) };
    },
  } as const;
}

const getVariants = reading(featureVariants);
const getChanges = reading((environments, form) => ({ version: 1, ...listChanges(environments, form) }));

const writeOptions = {
  query: ["dryRun", "by"],
  headers: ["prefer", "if-match", "idempotency-key", "burgee-reason"],
} as const;

const patchVariants = {
  ...writeOptions,
  method: "PATCH",
  body: { accepts: ["application/json", "application/json-patch+json"], schema: patchesSchema },
  async run(request: Request<VariantStore, FeaturePath, Patch>): Promise<Answer> {
    const { body, options } = request;
    const { by, strict, dryRun } = options;
    // A strict dry run shows what a plain patch would leave patched.
    return runChange(request, { planner: () => planPatch(body, by), allOrNothing: strict && !dryRun });
  },
} as const;

const undoChange = {
  ...writeOptions,
  method: "POST",
  body: { accepts: ["application/json"], schema: z.strictObject({}), isOptional: true },
  async run(request: Request<VariantStore, UndoPath, unknown>): Promise<Answer> {
    const { path, stamp } = request;
    return runChange(request, {
      planner: (states) => planUndo(path.changeId, states, stamp),
      allOrNothing: true,
    });
  },
} as const;

async function runChange(
  { path, caller, options, stamp, store, clock }: Request<VariantStore, FeaturePath, unknown>,
  plan: Pick<ChangeRequest, "planner" | "allOrNothing">,
): Promise<Answer> {
  const { dryRun, strict, by: form, precondition } = options;
  const target = toTarget(path);
  const request: ChangeRequest = { ...plan, target, caller, stamp, precondition };
  if (dryRun) {
    const { outcomes, missing, etag } = await previewFeature(store, request, { strict });
    return { status: 200, etag, body: previewBody(outcomes, missing, form), outcomes };
  }
  const outcomes = await changeFeature(store, clock, request);
  const isStored = outcomes.some(({ outcome }) => outcome === "patched");
  return {
    status: 200,
    etag: etagOf(target, outcomes),
    change: isStored ? stamp.id : undefined,
    hint: outcomes.find(({ hint }) => hint !== undefined),
    body: featureVariants(outcomes, form),
    outcomes,
  };
}

function previewBody(outcomes: readonly Outcome[], missing: readonly MissingPermission[], form: VariantForm) {
  return {
    ...featureVariants(outcomes, form),
    environments: outcomes.map((one) => toPreview(one, form)),
    ...(missing.length > 0 && { missingPermissions: missing }),
  };
}

function toTarget({ projectId: project, featureName: feature, environment }: FeaturePath): Target {
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

  /**
   * List the last changes of a feature's variants, with what each did in every environment.
   *
   * Those are the newest of each environment, up to the {@link limits.changes}th that is not undone. What they did is
   * known while their ways back fit in {@link limits.wayBackBytes}.
   */
  listFeatureChanges: route({ ...getChanges, path: changesOf(inEveryEnvironment) }),

  /**
   * Undo a change in every environment.
   *
   * Restores each environment that keeps the change to exactly the variants before it. If the variants were changed
   * since in any of them, it is refused with 409 before anything is written. An undo is a change: undo it to make the
   * change again. Undone changes do not count as later ones, so changes can be undone one after the other.
   */
  undoFeatureChange: route({
    ...undoChange,
    path: undoIn(inEveryEnvironment),
    permission: featurePermission,
  }),

  /** List the last changes of the variants in one environment. */
  listEnvironmentChanges: route({ ...getChanges, path: changesOf(inOneEnvironment) }),

  /** Undo a change in one environment, and leave the others as they are. */
  undoEnvironmentChange: route({
    ...undoChange,
    path: undoIn(inOneEnvironment),
    permission: environmentPermission,
  }),
};

export const handler = createHandler(createService(createVariantStore), Object.values(routes));
