/** Users of flagd's rollouts move only where the moves of the change say so. */
import { FlagdCore } from "@openfeature/flagd-core";
import { expect, it } from "vitest";
import { useBurgee } from "../../support/burgee.ts";
import { times } from "../../support/patching.ts";
import { silent } from "../../support/sdks.ts";
import { addFeature } from "../../support/seed.ts";

const burgee = useBurgee({}, { DOCUMENT_CACHE_SECONDS: "0" });
const production = { environment: "production" };
const rollout = (percent: string, more: object = { groupId: "g" }) => ({
  name: "flexibleRollout",
  parameters: { rollout: percent, stickiness: "default", ...more },
});

/** Whether each of 2,000 users gets the feature from flagd. */
async function evaluate(feature: string): Promise<boolean[]> {
  const path = "/api/projects/default/environments/production/flagd.json";
  const { json } = await burgee.send({ method: "GET", path });
  const core = new FlagdCore(undefined, silent);
  core.setConfigurations(JSON.stringify({ ...json, flags: { [feature]: json.flags[feature] } }));
  return times(2000, (index) => {
    const user = { targetingKey: `user-${index}` };
    return core.resolveBooleanEvaluation(feature, false, user as never).value;
  });
}

it.each<[string, object, (feature: string) => object]>([
  [
    "a strategy gets another id",
    { s1: rollout("50") },
    () => ({ op: "move", from: "/strategies/s1", path: "/strategies/s2" }),
  ],
  [
    "one of two equal rollouts goes",
    { s1: rollout("50"), s2: rollout("50") },
    () => ({ op: "remove", path: "/strategies/s1" }),
  ],
  [
    "a smaller rollout of the group is added",
    { s1: rollout("50") },
    () => ({ op: "add", path: "/strategies/s2", value: rollout("25") }),
  ],
  [
    "the group that is the default is named",
    { s1: rollout("50", {}) },
    (feature) => ({ op: "add", path: "/strategies/s1/parameters/groupId", value: feature }),
  ],
])("no user moves where %s", async (_, strategies, operation) => {
  const feature = await addFeature(burgee, { environments: { production: [] }, enabled: true });
  await burgee.patchFeature(feature, [{ op: "add", path: "/strategies", value: strategies }], production);
  const before = await evaluate(feature);

  const none = { headers: { "burgee-most-moves": "0" } };
  const { status, headers } = await burgee.patchFeature(feature, [operation(feature)], {
    ...production,
    ...none,
  });

  expect([status, headers["burgee-moves"]]).toEqual([200, "production=0"]);
  expect(await evaluate(feature)).toEqual(before);
  expect(new Set(before)).toEqual(new Set([true, false]));
});
