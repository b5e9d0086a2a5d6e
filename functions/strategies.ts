/** The routes of strategies, at Unleash's paths and in its forms. They are part of the function `variants`. */
import { strategyPermission } from "../lib/access/permissions.ts";
import { type Patch, patchesSchema } from "../lib/contract/patch.ts";
import { etagOf } from "../lib/features/preconditions.ts";
import type { EnvironmentReader, EnvironmentStore } from "../lib/features/stores.ts";
import { type Answer, type Request, route } from "../lib/http/route.ts";
import { answerChange, changeHeaders, environmentPath, type FeaturePath, toTarget } from "./feature.ts";

interface StrategyPath extends FeaturePath {
  /** The id of the strategy; case-sensitive. */
  strategyId: string;
}

const path = `${environmentPath}/strategies` as const;

/** By operation ID; the OpenAPI document quotes the comments. */
export const routes = {
  /** Get the strategies of a feature in one environment. */
  getFeatureStrategies: route({
    method: "GET",
    path,
    permission: "read",
    async run({ path, store }: Request<EnvironmentReader, FeaturePath, unknown>): Promise<Answer> {
      const target = toTarget(path);
      const states = await store.readEnvironments(target);
      return {
        status: 200,
        etag: etagOf(target, states),
        body: states.flatMap(({ strategies }) => strategies),
      };
    },
  }),

  /** Patch one strategy. Its variants are a list, in the order of their shares. */
  patchFeatureStrategy: route({
    method: "PATCH",
    path: `${path}/{strategyId}`,
    permission: strategyPermission,
    query: ["dryRun"],
    headers: changeHeaders,
    body: { accepts: ["application/json", "application/json-patch+json"], schema: patchesSchema },
    async run(request: Request<EnvironmentStore, StrategyPath, Patch>): Promise<Answer> {
      const { body: patch, options, path } = request;
      const root = { strategy: path.strategyId };
      return answerChange(request, { kind: "patch", root, patch, form: "index" }, options, root);
    },
  }),
};
