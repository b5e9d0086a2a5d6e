/**
 * Many callers of one feature at once, by the engine's address and in its process. There, calls pause as those of a network
 * do: an engine that answers at once would hide most conflicts.
 */
import { setTimeout } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { clientOf } from "../../infra/engine/client.ts";
import { openInMemory } from "../../infra/engine/storage.ts";
import type { Variant } from "../../lib/contract/variants.ts";
import { useBurgee } from "../support/burgee.ts";
import { measureSlowness } from "../support/cost.ts";
import { countDown } from "../support/event.ts";
import { add, times } from "../support/patching.ts";
import { addFeature, tag, variant } from "../support/seed.ts";

/** A function has ten seconds; a slow machine has more. */
const deadlineMs = () => 10_000 * measureSlowness();

let conflicts = 0;
const engine = openInMemory();
const pausing = clientOf({
  ...engine,
  async call(operation, input) {
    await setTimeout(Math.random() * 3);
    const response = await engine.call(operation, input);
    if (String(response.body.__type).endsWith("#ConditionalCheckFailedException")) conflicts++;
    await setTimeout(Math.random() * 3);
    return response;
  },
});

const lists: Record<string, Variant[]> = { development: [variant("blue")], production: [variant("blue")] };

describe.each([
  // How many callers meet there is up to the machine; with pauses most do.
  { where: "by the engine's address", burgee: useBurgee({}, {}, { byAddress: true }), fewestConflicts: 1 },
  {
    where: "in the engine's process, with pauses",
    burgee: useBurgee({}, {}, { client: pausing }),
    fewestConflicts: 10,
  },
])("25 callers $where", ({ where, burgee, fewestConflicts }) => {
  const conflictsNow = () =>
    conflicts + burgee.wire.calls.filter(({ response }) => response?.status === 400).length;

  it("add a tag each: all are acknowledged, and all present", { timeout: 60_000 }, async () => {
    const feature = await addFeature(burgee, { environments: lists });
    const tags = times(25, (index) => tag(`team-${10 + index}`));
    const before = conflictsNow();

    const answers = await Promise.all(
      tags.map((one) =>
        burgee.putTags(
          feature,
          { addedTags: [one], removedTags: [] },
          { remainingMs: countDown(deadlineMs()) },
        ),
      ),
    );

    expect(answers.map(({ status }) => status)).toEqual(tags.map(() => 201));
    expect((await burgee.getTags(feature)).json.tags).toEqual(tags);
    expect(conflictsNow() - before, where).toBeGreaterThanOrEqual(fewestConflicts);
  });

  it("add a variant each: all are acknowledged, and all present in both environments", {
    timeout: 60_000,
  }, async () => {
    const feature = await addFeature(burgee, { environments: lists });
    const names = times(25, (index) => `variant-${10 + index}`);
    const before = conflictsNow();

    const answers = await Promise.all(
      names.map((name) =>
        burgee.patchVariants(feature, [add("/-", { name, weight: 1 })], {
          remainingMs: countDown(deadlineMs()),
        }),
      ),
    );

    expect(answers.map(({ status }) => status)).toEqual(names.map(() => 200));
    for (const environment of Object.keys(lists)) {
      expect(await burgee.names(feature, environment)).toEqual(["blue", ...names]);
      expect(await burgee.storedEnvironment(feature, environment)).toMatchObject({ revision: 26 });
    }
    expect(conflictsNow() - before, where).toBeGreaterThanOrEqual(fewestConflicts);
  });
});
