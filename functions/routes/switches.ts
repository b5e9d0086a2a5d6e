/** Routes that switch a feature on or off, in the function `variants`. */
import type { EnvironmentStore } from "../../lib/features/stores.ts";
import { type OptionNameOf, optionNamesOf } from "../../lib/http/options.ts";
import { type RouteRequest, route } from "../../lib/http/route.ts";
import { answerChange } from "./answer.ts";
import { environmentPath, type FeatureParameters, featurePath } from "./paths.ts";
import { noBody } from "./request-bodies.ts";

const switchRoute = (enabled: boolean) =>
  ({
    method: "POST",
    permission: "UPDATE_FEATURE_ENVIRONMENT",
    options: optionNamesOf("change"),
    body: noBody,
    run: (request: RouteRequest<EnvironmentStore, FeatureParameters, unknown, OptionNameOf<"change">>) =>
      answerChange(request, { kind: "switch", enabled }),
  }) as const;

export const routes = {
  /**
   * Switch a feature on in every environment.
   *
   * Switches one environment after the other, in the project's order. An environment where the feature is on already is
   * not written. Failures, dry runs, retries and undo work as for a patch of the variants. A switch never changes
   * variants, and a patch of variants never switches.
   */
  toggleFeatureOn: route({ ...switchRoute(true), path: `${featurePath}/on` }),

  /**
   * Switch a feature off in every environment.
   *
   * The SDKs of flagd then return the default of the code.
   */
  toggleFeatureOff: route({ ...switchRoute(false), path: `${featurePath}/off` }),

  /** Switch a feature on in one environment. */
  toggleFeatureEnvironmentOn: route({ ...switchRoute(true), path: `${environmentPath}/on` }),

  /**
   * Switch a feature off in one environment.
   *
   * The SDKs of flagd then return the default of the code.
   */
  toggleFeatureEnvironmentOff: route({ ...switchRoute(false), path: `${environmentPath}/off` }),
};
