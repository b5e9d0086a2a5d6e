/** Answers a request that reads environments of a feature, the same for each of these routes. */
import { etagOfEnvironments } from "../../lib/features/etags.ts";
import type { EnvironmentStates } from "../../lib/features/model.ts";
import type { EnvironmentReader } from "../../lib/features/stores.ts";
import type { Answer, RouteRequest } from "../../lib/http/route.ts";
import type { FeatureParameters } from "./paths.ts";

/** Reads the environments that the path names, and returns what `show` makes of them, with their ETag. */
export async function answerRead(
  {
    parameters: { projectId: project, featureName: feature, environment },
    store,
  }: RouteRequest<EnvironmentReader, FeatureParameters, unknown>,
  show: (states: EnvironmentStates) => object | undefined | Promise<object>,
): Promise<Answer & { etag: string }> {
  const target = { project, feature, environment };
  const states = await store.readEnvironments(target);
  return { status: 200, etag: etagOfEnvironments(target, states), body: await show(states) };
}
