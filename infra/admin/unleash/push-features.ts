/** Pushes features to Unleash one by one, and notes the outcome of each. */
import type { ServedFeature } from "../../../lib/documents/format.ts";
import { withProgress } from "../../cli/progress.ts";
import { Refusal } from "../../cli/refusal.ts";
import type { Difference } from "../plan/differences.ts";
import { isOfSwitch, isOfVariants } from "./compare.ts";
import type { UnleashServer } from "./server.ts";

export interface DifferentFeature extends ServedFeature {
  differences: readonly Difference[];
  outcome: "pushed" | "failed" | "not attempted";
  message?: string | undefined;
}

/** Sets the outcomes. Ends early, and returns why, where all further features would fail alike. */
export function pushAll(
  server: UnleashServer,
  environment: string,
  different: readonly DifferentFeature[],
  show: (pushed: DifferentFeature) => void,
): Promise<string | undefined> {
  return withProgress("Pushed:", different.length, async (reach, hide) => {
    for (const one of different) {
      one.outcome = "failed";
      try {
        one.message = await pushOne(server, environment, one);
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        one.message = error.message;
        return error.message;
      }
      reach();
      if (one.message !== undefined) continue;
      one.outcome = "pushed";
      hide();
      show(one);
    }
    return undefined;
  });
}

/** Users get no variant that is not meant for them: off comes before the variants, on after them. */
async function pushOne(
  server: UnleashServer,
  environment: string,
  { name, project, enabled, variants, differences }: DifferentFeature,
): Promise<string | undefined> {
  const place = { project, feature: name, environment };
  const isSwitched = differences.some(isOfSwitch);
  const steps = [
    isSwitched && !enabled && (() => server.switch(place, false)),
    differences.some(isOfVariants) && (() => server.putVariants(place, variants)),
    isSwitched && enabled && (() => server.switch(place, true)),
  ];
  for (const step of steps) {
    const refusal = step ? await step() : undefined;
    if (refusal !== undefined) return refusal;
  }
  return undefined;
}
