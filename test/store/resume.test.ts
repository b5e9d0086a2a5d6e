/** A request is cut off after each of its calls in turn, and sent again until it is done. */
import { describe, expect, it } from "vitest";
import { useBurgee } from "../support/burgee.ts";
import { add } from "../support/patching.ts";
import { addFeature, variant } from "../support/seed.ts";

const blue = [variant("blue")];
const environments = { development: blue, staging: blue, production: blue };
const patch = [add("/-", { name: "red", weight: 1 })];
/** The caller's time-out: the SDK repeats a call that got no answer until then. */
const timeoutMs = 450;
const headers = { "idempotency-key": "deploy-42" };

const burgee = useBurgee();

describe.each([
  ["the call is done, and everything is cut off before its answer", "lose the answer"],
  ["everything is cut off before the call", "cut before it is done"],
] as const)("%s:", (_, how) => {
  it.each([0, 1, 2, 3, 4])("at call %i", async (callAtWhich) => {
    const feature = await addFeature(burgee, { environments });
    await burgee.patch(feature, []);
    burgee.wire.reset();
    let calls = 0;
    burgee.wire.decide(() => {
      const at = calls++;
      if (at < callAtWhich) return "pass";
      return at === callAtWhich ? how : "cut before it is done";
    });

    const first = await burgee.patch(feature, patch, { headers, timeoutMs });
    burgee.wire.reset();
    const again = await burgee.patch(feature, patch, { headers });

    expect([first.status, again.status]).toEqual([callAtWhich < 4 ? 503 : 200, 200]);
    for (const environment of Object.keys(environments)) {
      expect(await burgee.names(feature, environment)).toEqual(["blue", "red"]);
      expect(await burgee.storedEnvironment(feature, environment)).toMatchObject({ revision: 2 });
    }
  });
});
