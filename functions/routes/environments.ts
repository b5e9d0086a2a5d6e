/** Routes that read and patch all that decides what SDKs get, in the function `variants`. */
import type { Patch } from "../../lib/contract/patch.ts";
import { environmentBody } from "../../lib/features/bodies.ts";
import { permissionsOfAnyChange } from "../../lib/features/change/required-permissions.ts";
import type { EnvironmentReader, EnvironmentStore } from "../../lib/features/stores.ts";
import { type OptionNameOf, optionNamesOf } from "../../lib/http/options.ts";
import { type Answer, type RouteRequest, route } from "../../lib/http/route.ts";
import { answerChange, answerRead } from "./answer.ts";
import { environmentPath, type FeatureParameters, featurePath } from "./paths.ts";
import { patchBody } from "./request-bodies.ts";

const patchFeatureRoute = {
  method: "PATCH",
  options: optionNamesOf("change"),
  body: patchBody,
  async run(
    request: RouteRequest<EnvironmentStore, FeatureParameters, Patch, OptionNameOf<"change">>,
  ): Promise<Answer> {
    return answerChange(request, { kind: "patch", root: "environment", patch: request.body });
  },
} as const;

export const routes = {
  /**
   * Patch all that decides what SDKs get, in every environment.
   *
   * The patch applies to `{ "enabled", "variants": { by name }, "strategies": { by id, each with its variants by name
   * }, "dependencies", "targeting" }`. Failures, dry runs, retries and undo work as for a patch of the variants. The
   * paths of the operations decide which permissions the patch needs.
   */
  patchFeature: route({
    ...patchFeatureRoute,
    path: featurePath,
    permission: permissionsOfAnyChange.inEveryEnvironment,
  }),

  /** Get all that decides what SDKs get, in one environment, in the form of its patch. */
  getFeatureEnvironment: route({
    method: "GET",
    path: environmentPath,
    permission: "any reader",
    run: (request: RouteRequest<EnvironmentReader, FeatureParameters, unknown>) =>
      answerRead(request, environmentBody),
  }),

  /** Patch all that decides what SDKs get, in one environment. */
  patchFeatureEnvironment: route({
    ...patchFeatureRoute,
    path: environmentPath,
    permission: permissionsOfAnyChange.inOneEnvironment,
  }),
};
