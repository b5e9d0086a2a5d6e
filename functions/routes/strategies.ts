/** Routes that read and change strategies, at Unleash's paths and in its form, in the function `variants`. */
import type { Patch } from "../../lib/contract/patch.ts";
import { type SentStrategy, type Strategy, sentStrategySchema } from "../../lib/contract/strategies.ts";
import type { EnvironmentStates } from "../../lib/features/model.ts";
import { requireStrategy } from "../../lib/features/patch/plan-patch.ts";
import type { EnvironmentReader, EnvironmentStore } from "../../lib/features/stores.ts";
import { type OptionNameOf, optionNamesOf } from "../../lib/http/options.ts";
import { type Answer, type RouteRequest, route } from "../../lib/http/route.ts";
import { answerChange, answerRead } from "./answer.ts";
import { environmentPath, type FeatureParameters } from "./paths.ts";
import { noBody, patchBody } from "./request-bodies.ts";

interface StrategyParameters extends FeatureParameters {
  /** The id of the strategy; case-sensitive. */
  strategyId: string;
}

const strategiesPath = `${environmentPath}/strategies` as const;

const changeRoute = { permission: "UPDATE_FEATURE_STRATEGY", options: optionNamesOf("change") } as const;

const strategiesOf = (states: EnvironmentStates) => states.flatMap(({ strategies }) => strategies);

/**
 * Makes a patch that sets the whole strategy, as `PUT` and `POST` do: `add` at the root replaces it, or the `null` that
 * stands for a new one.
 */
function setStrategy(value: Strategy): Patch {
  return [{ op: "add", path: "", value }];
}

export const routes = {
  /** Get the strategies of a feature in one environment. */
  getFeatureStrategies: route({
    method: "GET",
    path: strategiesPath,
    permission: "any reader",
    run: (request: RouteRequest<EnvironmentReader, FeatureParameters, unknown>) =>
      answerRead(request, strategiesOf),
  }),

  /** Get one strategy. The `etag` is that of the environment. */
  getFeatureStrategy: route({
    method: "GET",
    path: `${strategiesPath}/{strategyId}`,
    permission: "any reader",
    run: (request: RouteRequest<EnvironmentReader, StrategyParameters, unknown>) =>
      answerRead(request, (states) =>
        requireStrategy({ strategies: strategiesOf(states) }, request.parameters.strategyId),
      ),
  }),

  /**
   * Add a strategy.
   *
   * A strategy without an `id` gets one. With an `Idempotency-Key` a retry adds no second strategy.
   */
  addFeatureStrategy: route({
    ...changeRoute,
    method: "POST",
    path: strategiesPath,
    body: { accepts: ["application/json"], schema: sentStrategySchema },
    async run(
      request: RouteRequest<EnvironmentStore, FeatureParameters, SentStrategy, OptionNameOf<"change">>,
    ): Promise<Answer> {
      // A retry with an idempotency key has a stamp with the same id, and so adds the same strategy.
      const { id = request.stamp.id, ...strategy } = request.body;
      const patch = setStrategy({ id, ...strategy });
      return answerChange(request, { kind: "strategy", id, action: "add", patch });
    },
  }),

  /** Replace a strategy. A member that is left out gets its default. */
  updateFeatureStrategy: route({
    ...changeRoute,
    method: "PUT",
    path: `${strategiesPath}/{strategyId}`,
    body: { accepts: ["application/json"], schema: sentStrategySchema },
    async run(
      request: RouteRequest<EnvironmentStore, StrategyParameters, SentStrategy, OptionNameOf<"change">>,
    ): Promise<Answer> {
      const { strategyId: id } = request.parameters;
      // An id in the body wins, so that another one than the path's is refused.
      const patch = setStrategy({ id, ...request.body });
      return answerChange(request, { kind: "strategy", id, action: "patch", patch });
    },
  }),

  /** Remove a strategy. A feature that is on without any strategy is on for everyone. */
  deleteFeatureStrategy: route({
    ...changeRoute,
    method: "DELETE",
    path: `${strategiesPath}/{strategyId}`,
    body: noBody,
    async run(
      request: RouteRequest<EnvironmentStore, StrategyParameters, unknown, OptionNameOf<"change">>,
    ): Promise<Answer> {
      const { strategyId: id } = request.parameters;
      return answerChange(request, { kind: "strategy", id, action: "remove" });
    },
  }),

  /** Patch one strategy. Its variants are a list, in the order in which SDKs give out their shares. */
  patchFeatureStrategy: route({
    ...changeRoute,
    method: "PATCH",
    path: `${strategiesPath}/{strategyId}`,
    body: patchBody,
    async run(
      request: RouteRequest<EnvironmentStore, StrategyParameters, Patch, OptionNameOf<"change">>,
    ): Promise<Answer> {
      const { parameters, body: patch } = request;
      return answerChange(request, { kind: "strategy", id: parameters.strategyId, action: "patch", patch });
    },
  }),
};
