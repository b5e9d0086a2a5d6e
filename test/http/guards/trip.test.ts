/** A trip of a guard takes back exactly the change that is under it. */
import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import type { EnvironmentItem } from "../../../lib/store/items/items.ts";
import { invalid, naming } from "../../support/answers.ts";
import { useBurgee } from "../../support/burgee.ts";
import { log } from "../../support/log.ts";
import { replace, times } from "../../support/patching.ts";
import { addFeature, projectOf, variant } from "../../support/seed.ts";
import { nearDeadlineAfter } from "../../support/time.ts";
import { isQuery, isRead, isUpdate } from "../../support/wire.ts";
import {
  addBlueFeature,
  addRed,
  byName,
  guarded,
  idOf,
  production,
  requestsFor,
  tripPath,
} from "./tripping.ts";

const burgee = useBurgee();
let feature: string;
beforeEach(async () => {
  feature = await addBlueFeature(burgee);
});

const { patch, trip, featuresOf, names } = requestsFor(burgee, () => feature);
const movesBack = [{ from: "red", to: "blue", share: 0.5 }];

describe("a trip", () => {
  it("undoes the change in its environment alone, and says so in the list and the log", async () => {
    const made = idOf(await burgee.patchVariants(feature, addRed, { ...byName, ...guarded() }));

    const tripped = await trip("errors", { headers: { "burgee-reason": "5xx at 12 %" } });
    const logged = log.at(-1);

    expect(tripped.status).toBe(200);
    expect(featuresOf(tripped)).toEqual([{ feature, change: made, outcome: "undone", moves: movesBack }]);
    expect(await burgee.names(feature)).toEqual(["blue", "red"]);
    expect(await names()).toEqual(["blue"]);
    const { json } = await burgee.getChanges(feature, production);
    expect(json.changes[0]).toMatchObject({ undoes: made, by: "admin", reason: "guard errors: 5xx at 12 %" });
    expect(logged).toMatchObject({ features: { [feature]: "undone" } });
  });

  it("undoes a switch, with who moves", async () => {
    await burgee.switch(feature, "off", { ...production, ...guarded() });

    expect(featuresOf(await trip())).toMatchObject([
      { outcome: "undone", moves: [{ from: null, to: "blue", share: 1 }] },
    ]);
  });

  it("as a dry run shows what it would undo, and writes nothing", async () => {
    const change = idOf(await patch());
    burgee.wire.reset();

    const shown = await trip("errors", { query: "?dryRun=true" });

    expect(featuresOf(shown)).toEqual([{ feature, change, outcome: "would undo", moves: movesBack }]);
    expect(burgee.writes()).toEqual([]);
  });

  it("of a project or an environment that is not there is a 404, unlike one of a guard that nothing is under", async () => {
    const results = [
      await trip("errors", { environment: "prod" }),
      await burgee.send({
        method: "POST",
        path: tripPath("errors", "production").replace("default", "defualt"),
      }),
      await trip("nothing"),
    ];

    expect(results.map(({ status, json }) => [status, json.message])).toEqual([
      [404, 'Project "default" has no environment "prod"'],
      [404, 'There is no project "defualt"'],
      [200, undefined],
    ]);
  });

  it.each(["a b", "größe", "a/b", "x".repeat(101)])(
    "by the name %j, which no guard can have, is a 400",
    async (name) => {
      const message = naming(`"${name}" is no name of a guard`);
      expect(await trip(encodeURIComponent(name))).toEqual(invalid({ message }));
    },
  );

  it("reads the project only if nothing is found under the guard", async () => {
    await patch();
    burgee.wire.reset();

    await trip("errors", { query: "?dryRun=true" });

    expect(JSON.stringify(burgee.wire.calls)).not.toContain("PROJECT#");
  });

  it("undoes the changes of several features, in order of name", async () => {
    const environments = { production: [variant("blue")] };
    // A blank comes before the "#" behind the feature in a table key.
    const others = ["-b", " a"].map((name) => `${feature}${name}`);
    for (const name of others) await addFeature(burgee, { name, environments });
    for (const name of [...others, feature])
      await burgee.patchVariants(name, addRed, { ...byName, ...production, ...guarded("many") });

    const { json } = await trip("many");

    expect(json.features.map((one: { feature: string }) => one.feature)).toEqual([
      feature,
      `${feature} a`,
      `${feature}-b`,
    ]);
  });

  it.each([
    ["no body", undefined, "application/json"],
    ["any JSON", '{"version":"4","alerts":[{"status":"firing"}]}', "application/json; charset=utf-8"],
    ["a form", "payload=%7B%7D", "application/x-www-form-urlencoded"],
    ["no JSON", "{", "application/json"],
  ])("takes %s", async (_, body, type) => {
    await patch();

    const tripped = await trip("errors", {
      ...(body !== undefined && { body }),
      headers: { "content-type": type },
    });

    expect(featuresOf(tripped)).toMatchObject([{ outcome: "undone" }]);
  });

  /** Adds a feature that comes after the first one, and changes both under the guard. */
  async function addSecond(guard: string): Promise<string> {
    const environments = { production: [variant("blue")] };
    const other = await addFeature(burgee, { name: `${feature}-z`, environments });
    for (const name of [feature, other])
      await burgee.patchVariants(name, addRed, { ...byName, ...production, ...guarded(guard) });
    return other;
  }

  function throttle(name: string): void {
    burgee.wire.decide(({ operation, input }) =>
      operation === "GetItem" && JSON.stringify(input).includes(`${name}"`)
        ? { error: "ThrottlingException" }
        : "pass",
    );
  }

  function beginAt(share: number): void {
    const random = vi.spyOn(Math, "random").mockReturnValue(share);
    onTestFinished(() => random.mockRestore());
  }

  it("ends at the deadline with 503 and the features so far; the next goes on", async () => {
    const other = await addSecond("slow");
    throttle(other);
    beginAt(0);

    const late = await trip("slow", { remainingMs: nearDeadlineAfter(burgee.wire, isUpdate) });
    expect(log.at(-1)).toMatchObject({ status: 503, features: { [feature]: "undone", [other]: "failed" } });
    expect(log.at(-1)).not.toHaveProperty("environments");
    burgee.wire.reset();
    const next = await trip("slow");

    expect([late.status, late.headers["retry-after"], late.json.details]).toEqual([
      503,
      "1",
      [
        { feature, change: expect.any(String), outcome: "undone" },
        { feature: other, outcome: "failed", message: expect.any(String) },
      ],
    ]);
    expect(next.json.features).toMatchObject([{ feature: other, outcome: "undone" }]);
  });

  it("names no change in a header if it is not known whether an undo was stored", async () => {
    await patch(guarded("unsure"));
    burgee.wire.decideWrites(() => ({ error: "InternalServerError", status: 500 }));

    // Two reads of the feature with its environment.
    const { status, headers, json } = await trip("unsure", {
      remainingMs: nearDeadlineAfter(burgee.wire, isRead, 4),
    });

    expect([status, json.code, json.details]).toMatchObject([
      503,
      "outcome-unknown",
      [{ feature, outcome: "failed", code: "outcome-unknown" }],
    ]);
    expect(headers).not.toHaveProperty("burgee-change");
    expect(log.at(-1)).not.toHaveProperty("change");
  });

  it("ends with 503 as a dry run too, if the table fails", async () => {
    await patch(guarded("shown"));
    throttle(feature);

    const { status, json } = await trip("shown", {
      query: "?dryRun=true",
      remainingMs: nearDeadlineAfter(burgee.wire, isQuery),
    });

    expect([status, json.details]).toMatchObject([503, [{ feature, outcome: "failed" }]]);
  });

  it("begins at another feature each time, so that one that the table refuses does not stop all others for good", async () => {
    const other = await addSecond("busy");
    throttle(feature);
    beginAt(0.9);

    const { status, json } = await trip("busy", {
      remainingMs: nearDeadlineAfter(burgee.wire, isUpdate),
    });

    expect([status, json.details]).toMatchObject([
      503,
      [
        { feature, outcome: "failed" },
        { feature: other, outcome: "undone" },
      ],
    ]);
  });

  // A webhook retries only after a 5xx, and the change is still in effect.
  it("ends with 503 after write conflicts until the deadline", async () => {
    const options = { ...byName, ...production, ...guarded("conflicts") };
    const change = idOf(await burgee.patchVariants(feature, addRed, options));
    let remainingMs = 10_000;
    burgee.wire.decideWrites((count) => {
      if (count === 3) remainingMs = 499;
      return { error: "ConditionalCheckFailedException" };
    });

    const late = await trip("conflicts", { remainingMs: () => remainingMs });
    expect(log.at(-1)).toMatchObject({ features: { [feature]: "failed" }, error: { code: "gave-up" } });
    burgee.wire.reset();
    const next = await trip("conflicts");

    expect([late.status, late.headers["retry-after"], late.json]).toMatchObject([
      503,
      "1",
      {
        name: "TemporarilyUnavailable",
        code: "gave-up",
        details: [{ feature, change, outcome: "failed", code: "gave-up" }],
      },
    ]);
    expect(featuresOf(next)).toMatchObject([{ change, outcome: "undone" }]);
  });
});

it("goes on after a feature that cannot be read, and ends with its error", async () => {
  const names = ["first", "second", "third"].map((end) => `${feature}-${end}`);
  for (const name of names) {
    await addFeature(burgee, { name, environments: { production: [variant("blue")] } });
    await burgee.patchVariants(name, addRed, { ...byName, ...production, ...guarded("damage") });
  }
  const [first, broken = "", third] = names;
  const item = await burgee.storedEnvironment(broken, "production");
  const damaged: EnvironmentItem = { ...item, audience: "not packed" };
  await burgee.put(damaged);

  const shown = await trip("damage", { query: "?dryRun=true" });
  const tripped = await trip("damage");
  const logged = log.at(-1);
  await burgee.put(item);

  // Without a change: the one planned under the guard may be undone, or was never made.
  const failed = { feature: broken, outcome: "failed", message: "Internal error" };
  const outcomes = (outcome: string) => [{ feature: first, outcome }, failed, { feature: third, outcome }];
  expect(shown.json.features[1]).toEqual(failed);
  expect(tripped.json.details[1]).toEqual(failed);
  expect([shown.status, shown.json.features]).toMatchObject([200, outcomes("would undo")]);
  expect([tripped.status, tripped.json]).toMatchObject([
    500,
    { message: `feature "${broken}": internal error`, details: outcomes("undone") },
  ]);
  expect(logged).toMatchObject({
    features: { [String(first)]: "undone", [broken]: "failed", [String(third)]: "undone" },
    error: { cause: expect.stringContaining("incorrect header check") },
  });
  // Each undo has an id of its own, and the feature that cannot be read has none.
  expect(logged).not.toHaveProperty("change");
});

it("a trip undoes a change that is on top again after the later change was undone", async () => {
  await patch();
  const later = idOf(await burgee.switch(feature, "off", production));
  await trip();
  await burgee.undo(feature, later, production);

  expect(featuresOf(await trip())).toMatchObject([{ outcome: "undone" }]);
  expect(await names()).toEqual(["blue"]);
});

it("a trip whose response would be too large does not advise to name an environment, nor does its dry run", {
  timeout: 60_000,
}, async () => {
  // A trip lists up to 100 moves of each strategy that has constraints.
  const long = (index: number) => String(index).padStart(100, "a");
  const strategy = {
    name: "flexibleRollout",
    parameters: { rollout: "100", stickiness: "default", groupId: feature },
    constraints: [{ contextName: "country", operator: "IN", values: ["de"] }],
  };
  const giving = (first: number) => {
    const variants = Object.fromEntries(times(100, (index) => [long(first + index), { weight: 10 }]));
    return Object.fromEntries(times(10, (index) => [`s${index}`, { ...strategy, variants }]));
  };
  const list = Object.entries(giving(0)).map(([id, { variants, ...rest }]) => ({
    ...{ id, ...rest },
    variants: Object.entries(variants).map(([name, { weight }]) => ({ name, weight })),
  }));
  const all = times(24, (index) => `${feature}-${index}`);
  const features = all.map((name) => ({
    ...{ name, project: "default" },
    environments: { production: { enabled: true, variants: [], strategies: list } },
  }));
  await burgee.store({ projects: [projectOf("default", "production")], features });
  const moveAll = [replace("/strategies", giving(100))];
  for (const name of all) await burgee.patchFeature(name, moveAll, { ...production, ...guarded("large") });

  const shown = await trip("large", { query: "?dryRun=true" });
  const tripped = await trip("large");

  const ofDryRun = "The response would be larger than 1 MB; the write itself may have a response of 6 MB";
  expect(shown).toEqual(invalid({ message: ofDryRun }));
  const message =
    "The request was applied, but its response would be larger than 6 MB; list the changes of a feature to see its undo";
  expect(tripped).toEqual(invalid({ code: "applied", message }));
  const { json } = await burgee.getFeature(`${feature}-23`, { query: "by=name" });
  expect(json.environments[0].strategies).toMatchObject(giving(0));
});
