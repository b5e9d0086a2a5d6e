/** Routes that create, read, delete and restore a feature, in the function `variants`. */
import { toApiError } from "../../lib/contract/errors.ts";
import { type CreateFeature, createFeatureSchema } from "../../lib/contract/features.ts";
import type { VariantForm } from "../../lib/contract/variants.ts";
import { featureBody } from "../../lib/features/bodies.ts";
import { etagOfFeature } from "../../lib/features/etags.ts";
import type { FeatureState, Target } from "../../lib/features/model.ts";
import type { Stamp } from "../../lib/features/stamp.ts";
import type { FeatureLifecycle, FeatureReader } from "../../lib/features/stores.ts";
import { type OptionNameOf, optionNamesOf, type StampOptions } from "../../lib/http/options.ts";
import { type Answer, fillPath, type RouteRequest, route } from "../../lib/http/route.ts";
import { type FeatureParameters, featurePath, featuresPath, type ProjectParameters } from "./paths.ts";
import { noBody } from "./request-bodies.ts";

/**
 * The handler puts these options into the stamp, so the routes read none. A kind of write that accepts another option does
 * not compile here.
 */
type StampOptionNames = readonly (keyof StampOptions)[];

/** The options of a deletion that its stamp does not have. */
type DeletionOptionName = Exclude<OptionNameOf<"deletion">, keyof StampOptions>;

function toTarget({ projectId: project, featureName: feature }: FeatureParameters): Target {
  return { project, feature };
}

function answerFeature(target: Target, feature: FeatureState, form: VariantForm): Answer {
  return { status: 200, etag: etagOfFeature(target, feature), body: featureBody(target, feature, form) };
}

async function answerCreatedOrRestored(
  store: FeatureReader,
  target: Target,
  { id }: Stamp,
  done: "created" | "restored",
): Promise<Answer> {
  const { project, feature: name } = target;
  const feature = await store.readFeature(target).catch((thrown) => {
    const error = toApiError(thrown);
    const message = `The feature "${name}" was ${done}, but could not be read: ${error.message}`;
    throw error.with({ message, code: "applied", writeId: id });
  });
  const answer = answerFeature(target, feature, "index");
  const location = fillPath(featurePath, { projectId: project, featureName: name });
  return { ...answer, status: 201, headers: { location }, writeId: id };
}

export const routes = {
  /**
   * Create a feature: off in every environment of the project, without variants.
   *
   * No request finds the feature before it is complete. A retry with the same `Idempotency-Key` returns the feature as
   * it is by then. If the feature exists already, the response is 409.
   */
  createFeature: route({
    method: "POST",
    path: featuresPath,
    permission: "CREATE_FEATURE",
    options: optionNamesOf("creation") satisfies StampOptionNames,
    body: { accepts: ["application/json"], schema: createFeatureSchema },
    async run({
      parameters: { projectId: project },
      body: { name: feature },
      ...request
    }: RouteRequest<FeatureLifecycle & FeatureReader, ProjectParameters, CreateFeature>): Promise<Answer> {
      const { store, clock, stamp } = request;
      const target = { project, feature };
      await store.createFeature(clock, target, stamp);
      return answerCreatedOrRestored(store, target, stamp, "created");
    },
  }),

  /**
   * Delete a feature. It can be restored for {@link limits.keptDays} days.
   *
   * SDKs return their default from then on. If the deletion was interrupted, or its outcome is unknown (503), send the
   * request again: it completes the deletion with a 202, and is a 404 if that was complete. If a feature of this name
   * was created or restored in between, the request deletes that one, or with `If-Match` is a 412. What is patched
   * while it is being deleted is patched in what can be restored.
   */
  archiveFeature: route({
    // The name is Unleash's operation ID. Burgee has no archive: the route deletes.
    method: "DELETE",
    path: featurePath,
    permission: "DELETE_FEATURE",
    options: optionNamesOf("deletion"),
    ignoresStampId: true,
    body: noBody,
    async run({
      parameters,
      options: { ifMatch, ifNoneMatch, ...others },
      store,
      clock,
      stamp,
    }: RouteRequest<FeatureLifecycle, FeatureParameters, unknown, DeletionOptionName>): Promise<Answer> {
      // Does not compile if an option is left over.
      others satisfies Record<string, never>;
      const preconditions = { ifMatch, ifNoneMatch };
      const body = await store.deleteFeature(clock, toTarget(parameters), preconditions, stamp);
      // The status is that of Unleash.
      return { status: 202, body, writeId: body.deletion };
    },
  }),

  /**
   * Restore the feature of this name that the project deleted last.
   *
   * In the environments that the project still has, it is as it was: on or off, and for the same users. In environments
   * that the project got after the deletion, it is off. Its list of changes begins anew. A retry with the same
   * `Idempotency-Key` returns the feature as it is by then. If a feature of this name exists, the response is 409.
   */
  restoreFeature: route({
    method: "POST",
    path: `${featurePath}/restore`,
    permission: "DELETE_FEATURE",
    options: optionNamesOf("restoration") satisfies StampOptionNames,
    body: noBody,
    async run({
      parameters,
      store,
      clock,
      stamp,
    }: RouteRequest<FeatureLifecycle & FeatureReader, FeatureParameters, unknown>): Promise<Answer> {
      const target = toTarget(parameters);
      await store.restoreFeature(clock, target, stamp);
      return answerCreatedOrRestored(store, target, stamp, "restored");
    },
  }),

  /**
   * Get a feature: its tags, and all that each environment has, with its guard and its `etag`.
   *
   * To change one environment, send its `etag` as `If-Match`.
   */
  getFeature: route({
    method: "GET",
    path: featurePath,
    permission: "any reader",
    options: ["form"],
    async run({
      parameters,
      options,
      store,
    }: RouteRequest<FeatureReader, FeatureParameters, unknown, "form">): Promise<Answer> {
      const target = toTarget(parameters);
      return answerFeature(target, await store.readFeature(target), options.form);
    },
  }),
};
