/** The routes of a feature: its variants, its switch, and their changes. */
import * as z from "zod/mini";
import { environmentPermission, featurePermission, switchPermission } from "../lib/access/authorise.ts";
import { type Patch, patchesSchema } from "../lib/contract/patch.ts";
import { readChanges } from "../lib/features/list-changes.ts";
import { etagOf, etagOfFeature } from "../lib/features/preconditions.ts";
import { featureBody, switchBodies, variantBodies, variantsBody } from "../lib/features/response-bodies.ts";
import type { FeatureReader, VariantReader, VariantStore } from "../lib/features/stores.ts";
import { answerChange, type FeaturePath, toTarget } from "../lib/http/answer-change.ts";
import { createHandler, type OpenHandler } from "../lib/http/handler.ts";
import { type Answer, type Request, route } from "../lib/http/route.ts";
import { createService } from "../lib/service.ts";
import { createVariantStore } from "../lib/store/variant-store.ts";

const featurePath = "/api/admin/projects/{projectId}/features/{featureName}";
const inEveryEnvironment = `${featurePath}/variants` as const;
const environmentPath = `${featurePath}/environments/{environment}` as const;
const inOneEnvironment = `${environmentPath}/variants` as const;
const changesOf = <const Path extends string>(path: Path) => `${path}/changes` as const;
const switchesIn = <const Path extends string>(path: Path, to: "on" | "off") => `${path}/${to}` as const;
const undoIn = <const Path extends string>(path: Path) => `${path}/changes/{changeId}/undo` as const;

interface UndoPath extends FeaturePath {
  /** The id of the change, from the header `burgee-change` or the list of changes. */
  changeId: string;
}

const getFeature = {
  method: "GET",
  permission: "any",
  query: ["by"],
  async run({ path, options, store }: Request<FeatureReader, FeaturePath, unknown>): Promise<Answer> {
    const target = toTarget(path);
    const feature = await store.readFeature(target);
    const etag = etagOfFeature(target, feature);
    return { status: 200, etag, body: featureBody(target, feature, options.by) };
  },
} as const;

const getVariants = {
  method: "GET",
  permission: "any",
  query: ["by"],
  async run({ path, options, store }: Request<VariantReader, FeaturePath, unknown>): Promise<Answer> {
    const target = toTarget(path);
    const states = await store.readEnvironments(target);
    return { status: 200, etag: etagOf(target, states), body: variantsBody(states, options.by) };
  },
} as const;

const getChanges = {
  method: "GET",
  permission: "any",
  async run({ path, store }: Request<VariantReader, FeaturePath, unknown>): Promise<Answer> {
    const target = toTarget(path);
    const states = await store.readEnvironments(target);
    const { changes, hasMore } = await readChanges(store, states);
    const body = { version: 1, changes, ...(hasMore && { more: true }) };
    return { status: 200, etag: etagOf(target, states), body };
  },
} as const;

const headers = ["prefer", "if-match", "if-none-match", "idempotency-key", "burgee-reason"] as const;
const writeOptions = { query: ["dryRun", "by"], headers } as const;

const noBody = { accepts: ["application/json"], schema: z.strictObject({}), isOptional: true } as const;

const patchVariants = {
  ...writeOptions,
  method: "PATCH",
  body: { accepts: ["application/json", "application/json-patch+json"], schema: patchesSchema },
  async run(request: Request<VariantStore, FeaturePath, Patch>): Promise<Answer> {
    const { body: patch, options } = request;
    return answerChange(
      request,
      { kind: "patch", patch, form: options.by },
      options,
      variantBodies(options.by),
    );
  },
} as const;

const undoChange = {
  ...writeOptions,
  method: "POST",
  body: noBody,
  async run(request: Request<VariantStore, UndoPath, unknown>): Promise<Answer> {
    const { path, options } = request;
    // Half an undo would be worse than none; a dry run shows where it would fail.
    const strict = options.strict || !options.dryRun;
    return answerChange(
      request,
      { kind: "undo", change: path.changeId },
      { strict },
      variantBodies(options.by),
    );
  },
} as const;

const switchTo = (enabled: boolean) =>
  ({
    method: "POST",
    permission: switchPermission,
    query: ["dryRun"],
    headers,
    body: noBody,
    run: (request: Request<VariantStore, FeaturePath, unknown>) =>
      answerChange(request, { kind: "switch", enabled }, request.options, switchBodies),
  }) as const;

/** By operation ID; the OpenAPI document quotes the comments. */
export const routes = {
  /**
   * Get a feature: its tags, and for each environment whether it is on, and its variants.
   *
   * The `etag` of an environment is the one to send as `If-Match` to change it alone.
   */
  getFeature: route({ ...getFeature, path: featurePath }),

  /**
   * Switch a feature on in every environment.
   *
   * Switches one environment after the other, in the project's order; one where it is on already is not written. What a
   * patch of the variants says of failures, dry runs, retries and undo holds for a switch as well. It never changes
   * variants, and a patch of variants never switches.
   */
  toggleFeatureOn: route({ ...switchTo(true), path: switchesIn(featurePath, "on") }),

  /** Switch a feature off in every environment. */
  toggleFeatureOff: route({ ...switchTo(false), path: switchesIn(featurePath, "off") }),

  /** Switch a feature on in one environment. */
  toggleFeatureEnvironmentOn: route({ ...switchTo(true), path: switchesIn(environmentPath, "on") }),

  /** Switch a feature off in one environment. */
  toggleFeatureEnvironmentOff: route({ ...switchTo(false), path: switchesIn(environmentPath, "off") }),

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
   * List the last changes of a feature, with what each did in every environment.
   *
   * Those are the newest {@link limits.listedChanges} of each environment, of the last {@link limits.changeDays} days.
   */
  listFeatureChanges: route({ ...getChanges, path: changesOf(inEveryEnvironment) }),

  /**
   * Undo a change in every environment.
   *
   * Restores each environment that has the change to exactly the state before it: its variants, and whether it was on.
   * If anything was changed since in any of them, it is refused with 409 before anything is written. Undone changes do not count as later ones,
   * so changes can be undone one after the other, newest first. An undo cannot be undone: to make the change again, send
   * what the list of changes has of it as a new patch or switch. After {@link limits.usableDays} days a change cannot be undone.
   */
  undoFeatureChange: route({
    ...undoChange,
    path: undoIn(inEveryEnvironment),
    permission: [featurePermission, switchPermission],
  }),

  /** List the last changes of a feature in one environment. */
  listEnvironmentChanges: route({ ...getChanges, path: changesOf(inOneEnvironment) }),

  /** Undo a change in one environment, and leave the others as they are. */
  undoEnvironmentChange: route({
    ...undoChange,
    path: undoIn(inOneEnvironment),
    permission: [environmentPermission, switchPermission],
  }),
};

export const open: OpenHandler = (settings, options) =>
  createHandler<VariantStore & FeatureReader>(
    createService(createVariantStore, settings, options),
    Object.values(routes),
  );
