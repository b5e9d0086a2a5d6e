/** Where a dry run says that none moves, no user of Unleash's SDK gets something else once it is applied. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { emptyContent } from "../../../lib/features/model.ts";
import { useBurgee } from "../../support/burgee.ts";
import { add, remove, replace } from "../../support/patching.ts";
import { projectOf } from "../../support/seed.ts";
import { type Document, evaluate, users } from "../../support/unleash-users.ts";

const burgee = useBurgee({}, { DOCUMENT_CACHE_SECONDS: "0" });
const feature = "checkout";
const path = "/api/projects/default/environments/production/client/features";

/** Variants in any order, as an import may have stored them. */
const variants = fc
  .shuffledSubarray(["blue", "green", "red", "10"])
  .chain((names) =>
    fc.tuple(
      fc.constant(names),
      fc.constantFrom("default", "userId", "country"),
      fc.array(fc.nat(1000), { minLength: 3, maxLength: 3 }),
    ),
  )
  .map(([names, stickiness, cuts]) => {
    const ends = [...cuts.slice(0, Math.max(0, names.length - 1)).sort((a, b) => a - b), 1000];
    return names.map((name, index) => ({
      ...{ name, stickiness, weightType: "variable" as const },
      weight: (ends[index] ?? 1000) - (ends[index - 1] ?? 0),
    }));
  });

const strategy = fc.record({
  id: fc.constantFrom("a", "b"),
  name: fc.constantFrom("flexibleRollout", "default"),
  parameters: fc.record({
    rollout: fc.constantFrom("0", "25", "100"),
    stickiness: fc.constantFrom("default", "country"),
    groupId: fc.constantFrom(feature, "other"),
  }),
  disabled: fc.boolean(),
  constraints: fc.constantFrom([], [{ contextName: "country", operator: "IN" as const, values: ["de"] }]),
  variants: fc.oneof(fc.constant([]), variants),
});

const content = fc.record({
  enabled: fc.boolean(),
  variants,
  strategies: fc.uniqueArray(strategy, { maxLength: 2, selector: ({ id }) => id }),
});

/** Most of them change nothing that SDKs choose by, or what is there already. */
const operation = fc.constantFrom(
  replace("/enabled", true),
  replace("/variants/blue/stickiness", "default"),
  add("/variants/blue/payload", { type: "string", value: "x" }),
  add("/variants/teal", { weight: 0, weightType: "fix" }),
  replace("/variants/green/weight", 333),
  remove("/variants/red"),
  replace("/strategies/a/parameters/rollout", "25"),
  replace("/strategies/a/parameters/groupId", feature),
  add("/strategies/a/title", "Those"),
  add("/strategies/a/disabled", true),
  replace("/strategies/b/constraints", []),
  remove("/strategies/b"),
);

const isOn = { environment: "production" };

/** By the document: the SDK decides on nothing else. */
const known = new Map<string, unknown[]>();

async function gotten(): Promise<unknown[]> {
  const { json } = await burgee.send({ method: "GET", path });
  const document = JSON.stringify(json);
  const results = known.get(document) ?? evaluateAll(json);
  known.set(document, results);
  return results;
}

function evaluateAll(json: Document): unknown[] {
  return users.map((user) => {
    const [isEnabled, { name }] = evaluate(json, feature, user);
    return [isEnabled, name];
  });
}

it("gives each of 1,000 users the same, and writes nothing where there is no difference either", {
  timeout: 120_000,
}, async () => {
  const seen = { unmoved: 0, unwritten: 0 };
  const random = fc.tuple(content, fc.array(operation, { minLength: 1, maxLength: 2 }));
  for (const [before, patch] of fc.sample(random, { numRuns: 200, seed: 1 })) {
    await burgee.store({
      projects: [projectOf("default", "production")],
      features: [
        {
          name: feature,
          project: "default",
          environments: { production: { ...emptyContent, ...before } },
        },
      ],
    });
    const dryRun = await burgee.patchFeature(feature, patch, { ...isOn, dryRun: true });
    const [{ outcome, difference, moves }] = dryRun.json.environments;
    if (outcome === "failed" || moves.length > 0) continue;
    const had = await gotten();
    const { status, headers } = await burgee.patchFeature(feature, patch, isOn);
    expect(status).toBe(200);
    seen.unmoved += 1;
    if (difference.length === 0) {
      seen.unwritten += 1;
      expect([headers["burgee-change"], headers.etag]).toEqual([undefined, dryRun.headers.etag]);
    }
    expect(await gotten(), JSON.stringify({ before, patch })).toEqual(had);
  }

  expect(seen.unmoved).toBeGreaterThan(30);
  expect(seen.unwritten).toBeGreaterThan(10);
});
