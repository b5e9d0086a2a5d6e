/** Routes that create and read a feature, in the function `variants`. */
import { toApiError } from "../lib/contract/errors.ts";
import { type CreateFeature, createFeatureSchema } from "../lib/contract/features.ts";
import { formMember, type VariantForm } from "../lib/contract/variants.ts";
import { etagOf, etagOfFeature } from "../lib/features/etags.ts";
import type { Target } from "../lib/features/model.ts";
import { documentInForm } from "../lib/features/patch/environment-form.ts";
import type { FeatureCreator, FeatureReader, FeatureState } from "../lib/features/stores.ts";
import { sortTags } from "../lib/features/tags/tag-list.ts";
import { type Answer, fillPath, type Request, route } from "../lib/http/route.ts";
import { type FeaturePath, featurePath, featuresPath, type ProjectPath, toTarget } from "./paths.ts";

function answerFeature(target: Target, feature: FeatureState, form: VariantForm): Answer {
  const { project, feature: name } = target;
  const { tags, environments } = feature;
  const body = {
    version: 1,
    ...formMember(form),
    name,
    project,
    tags: sortTags(tags.tags),
    environments: environments.map((state) => {
      const { environment } = state;
      // The quotes of the header, so that a client can send the value as it is.
      const etag = `"${etagOf({ ...target, environment }, [state])}"`;
      const guard = state.top?.guard;
      return { environment, ...documentInForm(state, form), ...(guard && { guard }), etag };
    }),
  };
  return { status: 200, etag: etagOfFeature(target, feature), body };
}

/** The routes by operation ID. The OpenAPI document quotes the comments. */
export const routes = {
  /**
   * Create a feature: off in every environment of the project, without variants.
   *
   * No request finds the feature before it is complete. A retry with the same `Idempotency-Key` returns the feature as it
   * is by then. If the feature exists already, the response is 409.
   */
  createFeature: route({
    method: "POST",
    path: featuresPath,
    permission: "CREATE_FEATURE",
    options: ["idempotencyKey"],
    body: { accepts: ["application/json"], schema: createFeatureSchema },
    async run({
      path: { projectId: project },
      body: { name },
      ...request
    }: Request<FeatureCreator & FeatureReader, ProjectPath, CreateFeature>): Promise<Answer> {
      const { store, clock, stamp } = request;
      await store.createFeature(clock, { project, name }, stamp);
      const target = { project, feature: name };
      const feature = await store.readFeature(target).catch((thrown) => {
        const error = toApiError(thrown);
        const message = `The feature "${name}" was created, but could not be read: ${error.message}`;
        throw error.with({ message });
      });
      const answer = answerFeature(target, feature, "index");
      const location = fillPath(featurePath, { projectId: project, featureName: name });
      return { ...answer, status: 201, headers: { location } };
    },
  }),

  /**
   * Get a feature: its tags, and for each environment the switch, the strategies and the variants.
   *
   * To change one environment, send its `etag` as `If-Match`.
   */
  getFeature: route({
    method: "GET",
    path: featurePath,
    permission: "any reader",
    options: ["form"],
    async run({ path, options, store }: Request<FeatureReader, FeaturePath, unknown>): Promise<Answer> {
      const target = toTarget(path);
      return answerFeature(target, await store.readFeature(target), options.form);
    },
  }),
};
