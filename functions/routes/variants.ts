/** Routes that read and patch the variants of a feature, in the function `variants`. */
import type { Patch } from "../../lib/contract/patch.ts";
import { variantsBody } from "../../lib/features/bodies.ts";
import type { EnvironmentReader, EnvironmentStore } from "../../lib/features/stores.ts";
import { type OptionNameOf, optionNamesOf } from "../../lib/http/options.ts";
import { type Answer, type RouteRequest, route } from "../../lib/http/route.ts";
import { answerChange, answerRead } from "./answer.ts";
import { allEnvironmentsVariantsPath, environmentVariantsPath, type FeatureParameters } from "./paths.ts";
import { patchBody } from "./request-bodies.ts";

const readVariantsRoute = {
  method: "GET",
  permission: "any reader",
  options: ["form"],
  run: (request: RouteRequest<EnvironmentReader, FeatureParameters, unknown, "form">) =>
    answerRead(request, (states) => variantsBody(states, request.options.form)),
} as const;

const patchVariantsRoute = {
  method: "PATCH",
  options: [...optionNamesOf("change"), "form"],
  body: patchBody,
  async run(
    request: RouteRequest<EnvironmentStore, FeatureParameters, Patch, OptionNameOf<"change"> | "form">,
  ): Promise<Answer> {
    const { body: patch, options } = request;
    return answerChange(request, { kind: "patch", root: "variants", patch, form: options.form });
  },
} as const;

export const routes = {
  /**
   * Get the variants of a feature in its first environment.
   *
   * The first environment is the first in the project's order. The `etag` covers all environments. `getFeature`
   * has the variants of every environment.
   */
  getFeatureVariants: route({ ...readVariantsRoute, path: allEnvironmentsVariantsPath }),

  /**
   * Patch the variants of a feature in every environment.
   *
   * Patches one environment after the other, in the project's order. An environment that the patch does not change is
   * not written. The response has the variants of the first environment.
   *
   * **The patch is not atomic over the environments.** The first failure stops it: environments before it stay patched,
   * environments after it are not written, and `details` has the outcome of each. Within one environment the patch is
   * atomic. To be safe, send a dry run first, then the patch with its `etag` as `If-Match` and with an idempotency key.
   */
  patchFeatureVariants: route({
    ...patchVariantsRoute,
    path: allEnvironmentsVariantsPath,
    permission: "UPDATE_FEATURE_VARIANTS",
  }),

  /**
   * Get the variants of a feature in one environment.
   *
   * The `etag` covers this environment only.
   */
  getEnvironmentFeatureVariants: route({ ...readVariantsRoute, path: environmentVariantsPath }),

  /**
   * Patch the variants of a feature in one environment.
   *
   * Applies the patch in one atomic write.
   */
  patchEnvironmentsFeatureVariants: route({
    ...patchVariantsRoute,
    path: environmentVariantsPath,
    permission: "UPDATE_FEATURE_ENVIRONMENT_VARIANTS",
  }),
};
