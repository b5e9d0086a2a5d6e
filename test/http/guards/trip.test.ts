/** Guards: an alarm takes back exactly the change that is under it, and nothing else. */
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import type { EnvironmentItem } from "../../../lib/store/items.ts";
import { invalid, naming, noAccess } from "../../support/answers.ts";
import { type Request, useBurgee } from "../../support/burgee.ts";
import { log } from "../../support/log.ts";
import { add, replace } from "../../support/patching.ts";
import { addFeature, variant } from "../../support/seed.ts";
import type { Call } from "../../support/wire.ts";

const burgee = useBurgee();
const production = { environment: "production" };
const byName = { query: "by=name" };
const back = [{ from: "red", to: "blue", share: 0.5 }];
const red = [add("/red", { weight: 0 })];

let feature: string;
beforeEach(async () => {
  feature = await addFeature(burgee, {
    environments: { development: [variant("blue")], production: [variant("blue")] },
    enabled: true,
  });
});
afterEach(() => void vi.useRealTimers());

const guarded = (guard = "errors") => ({ headers: { "burgee-guard": guard } });
const patch = (options = {}) =>
  burgee.patch(feature, red, { ...byName, ...production, ...guarded(), ...options });
const tripPath = (guard: string, environment: string, query = "") =>
  `/api/admin/projects/default/environments/${environment}/guards/${guard}/trip${query}`;

interface TripOptions extends Partial<Request> {
  environment?: string;
  query?: string;
}

const trip = (guard = "errors", { environment = "production", query = "", ...rest }: TripOptions = {}) =>
  burgee.send({ method: "POST", path: tripPath(guard, environment, query), ...rest });
const isUpdate = ({ operation }: Call) => operation === "UpdateItem";
const idOf = ({ headers }: { headers: Record<string, string> }) => headers["burgee-change"] ?? "";
/** Without the features of other tests. */
const featuresOf = ({ json }: { json: { features: { feature: string }[] } }) =>
  json.features.filter((one) => one.feature === feature);
const names = () => burgee.names(feature, "production");

async function pass<Result>(minutes: number, then: () => Promise<Result>): Promise<Result> {
  vi.useFakeTimers({ now: Date.now() + minutes * 60_000, toFake: ["Date"] });
  return then();
}

describe("a trip", () => {
  it("undoes the change in its environment alone, and says so in the list and the log", async () => {
    const made = idOf(await burgee.patch(feature, red, { ...byName, ...guarded() }));

    const tripped = await trip("errors", { headers: { "burgee-reason": "5xx at 12 %" } });
    const logged = log.at(-1);

    expect(tripped.status).toBe(200);
    expect(featuresOf(tripped)).toEqual([{ feature, change: made, outcome: "undone", moves: back }]);
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

    expect(featuresOf(shown)).toEqual([{ feature, change, outcome: "would undo", moves: back }]);
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
      await burgee.patch(name, red, { ...byName, ...production, ...guarded("many") });

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
      await burgee.patch(name, red, { ...byName, ...production, ...guarded(guard) });
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

    const late = await trip("slow", { remainingMs: 600 });
    expect(log.at(-1)).toMatchObject({ status: 503, features: { [feature]: "undone", [other]: "failed" } });
    expect(log.at(-1)).not.toHaveProperty("environments");
    burgee.wire.reset();
    const next = await trip("slow");

    expect([late.status, late.headers["retry-after"], late.json.details]).toEqual([
      503,
      "1",
      [
        { feature, change: expect.any(String), outcome: "undone" },
        {
          feature: other,
          outcome: "failed",
          message: "The database is temporarily unavailable",
        },
      ],
    ]);
    expect(next.json.features).toMatchObject([{ feature: other, outcome: "undone" }]);
  });

  it("begins at another feature each time, so that one that the table refuses does not stop all others for good", async () => {
    const other = await addSecond("busy");
    throttle(feature);
    beginAt(0.9);

    const { status, json } = await trip("busy", { remainingMs: 600 });

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
    const change = idOf(await patch());
    let remainingMs = 10_000;
    burgee.wire.decideWrites((count) => {
      if (count === 3) remainingMs = 499;
      return { error: "ConditionalCheckFailedException" };
    });

    const late = await trip("errors", { remainingMs: () => remainingMs });
    expect(log.at(-1)).toMatchObject({ features: { [feature]: "failed" }, error: { code: "gave-up" } });
    burgee.wire.reset();
    const next = await trip();

    expect([late.status, late.headers["retry-after"], late.json]).toMatchObject([
      503,
      "1",
      {
        name: "TemporarilyUnavailable",
        code: "gave-up",
        message: `feature "${feature}": environment "production": gave up waiting for other requests; nothing was written here`,
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
    await burgee.patch(name, red, { ...byName, ...production, ...guarded("damage") });
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
});

describe("false alarms undo nothing", () => {
  /** Makes three changes, the first and the last under the guard, whose trip undoes the last. Returns the id of the second. */
  async function tripAboveTwo(options: object): Promise<string> {
    await burgee.switch(feature, "off", { ...production, ...guarded() });
    const second = idOf(await burgee.switch(feature, "on", { ...production, ...options }));
    await patch();
    await trip();
    return second;
  }

  const revision = async () =>
    JSON.stringify((await burgee.storedEnvironment(feature, "production")).revision);

  it.each<[string, () => Promise<unknown>, () => ReturnType<typeof trip>]>([
    ["without a guard", () => patch({ headers: {} }), () => trip()],
    ["of another guard", () => patch(), () => trip("latency")],
    ["of a guard in another letter case", () => patch(), () => trip("Errors")],
    ["in another environment", () => patch(), () => trip("errors", { environment: "development" })],
    ["after the time is over", () => patch(guarded("errors; for=1m")), () => pass(1, trip)],
    [
      "after the time is over, below a later change",
      async () => {
        await patch(guarded("errors; for=1m"));
        await burgee.switch(feature, "off", production);
      },
      () => pass(1, trip),
    ],
    ["after 30 minutes by default", () => patch(), () => pass(30, trip)],
    ["twice", () => patch().then(() => trip()), () => trip()],
    ["after an undo", async () => burgee.undo(feature, idOf(await patch()), production), () => trip()],
    [
      "after a trip, of an older change under the same guard",
      async () => {
        await burgee.switch(feature, "off", { ...production, ...guarded() });
        await patch();
        return trip();
      },
      () => trip(),
    ],
    ...[guarded(), guarded("other"), {}].flatMap(
      (options): [string, () => Promise<unknown>, () => ReturnType<typeof trip>][] => {
        const under = JSON.stringify(options);
        return [
          [
            `after a trip, of an older change below another, which is undone by hand: ${under}`,
            async () => burgee.undo(feature, await tripAboveTwo(options), production),
            () => trip(),
          ],
          [
            `after a trip, of an older change below another, which is undone by hand after a later change: ${under}`,
            async () => {
              const second = await tripAboveTwo(options);
              await burgee.undo(feature, idOf(await burgee.switch(feature, "off", production)), production);
              await burgee.undo(feature, second, production);
            },
            () => trip(),
          ],
          [
            `after a trip, of an older change below two others: ${under}`,
            async () => {
              await tripAboveTwo(options);
              await burgee.switch(feature, "off", production);
            },
            () => trip(),
          ],
        ];
      },
    ),
    ...[1, 5].map((count): [string, () => Promise<unknown>, () => ReturnType<typeof trip>] => [
      `after a trip, of an older change under the same guard below later changes: ${count}`,
      async () => {
        await burgee.switch(feature, "off", { ...production, ...guarded() });
        await patch();
        await trip();
        for (let left = count; left > 0; left--) {
          await burgee.switch(feature, left % 2 === 1 ? "on" : "off", production);
        }
      },
      () => trip(),
    ]),
  ])("%s", async (_, happens, alarm) => {
    await happens();
    const stored = await revision();

    const tripped = await alarm();

    expect([tripped.status, featuresOf(tripped), await revision()]).toEqual([200, [], stored]);
  });

  it.each<[string, () => Promise<{ headers: Record<string, string> }>]>([
    [
      "a patch",
      () => burgee.patch(feature, [replace("/blue/stickiness", "userId")], { ...byName, ...production }),
    ],
    ["a patch under another guard", () => patch({ ...guarded("other"), ...byName })],
    ["a kill switch", () => burgee.switch(feature, "off", production)],
  ])("after %s: the newest decision stands, and the response says so", async (_, later) => {
    const change = idOf(
      await burgee.patchFeature(feature, [add("/variants/green", { weight: 0 })], {
        ...production,
        ...guarded(),
      }),
    );
    const newer = idOf(await later());
    const stored = await revision();

    const tripped = await trip();

    const message = expect.stringContaining(newer);
    expect(featuresOf(tripped)).toEqual([{ feature, change, outcome: "changed since", message }]);
    expect(await revision()).toBe(stored);
  });

  it("after several under the guard and one without: the response has the newest of them", async () => {
    // The ids follow from the name and the keys. The table has the changes in the order of their ids.
    const name = "changed-thrice";
    await addFeature(burgee, { name, environments: { production: [variant("blue")] } });
    const ids: string[] = [];
    for (const [index, key] of ["a", "b", "c"].entries()) {
      const switched = await burgee.switch(name, index % 2 === 0 ? "on" : "off", {
        ...production,
        headers: { "idempotency-key": key, "burgee-guard": "thrice" },
      });
      ids.push(idOf(switched));
    }
    const newest = ids.at(-1);
    expect(ids.toSorted().indexOf(newest ?? "")).toBe(1);
    await burgee.switch(name, "off", production);

    const { json } = await trip("thrice");

    expect(json.features).toMatchObject([{ feature: name, change: newest, outcome: "changed since" }]);
  });

  it("after a change that is made while the guard trips: the newest decision stands", async () => {
    const change = idOf(await patch());
    burgee.wire.beforeFirst(isUpdate, () => burgee.switch(feature, "off", production));

    const tripped = await trip();

    const message = expect.stringContaining("the feature was changed later by ");
    expect(featuresOf(tripped)).toEqual([{ feature, change, outcome: "changed since", message }]);
    expect(log.at(-1)).not.toHaveProperty("error");
  });

  it("while another trip of the guard undoes the change", async () => {
    await patch();
    burgee.wire.beforeFirst(isUpdate, () => trip());

    expect(featuresOf(await trip())).toEqual([]);
    expect(await names()).toEqual(["blue"]);
  });

  it("of a feature that is deleted by now", async () => {
    await patch();
    await burgee.remove(await burgee.storedFeature(feature));

    expect(featuresOf(await trip())).toEqual([]);
  });

  it("of a feature that is deleted while the guard trips", async () => {
    await patch();
    burgee.wire.beforeFirst(isUpdate, () =>
      burgee.send({ method: "DELETE", path: `/api/admin/projects/default/features/${feature}` }),
    );

    expect(featuresOf(await trip())).toEqual([]);
  });

  it("of a change that was never made, whose writer ended before its write", async () => {
    burgee.wire.decideWrites(() => ({ error: "InternalServerError" }));
    await patch({ remainingMs: 800 });
    burgee.wire.reset();

    expect(featuresOf(await trip())).toEqual([]);
  });
});

it("a trip undoes a change that is on top again after the later change was undone", async () => {
  await patch();
  const later = idOf(await burgee.switch(feature, "off", production));
  await trip();
  await burgee.undo(feature, later, production);

  expect(featuresOf(await trip())).toMatchObject([{ outcome: "undone" }]);
  expect(await names()).toEqual(["blue"]);
});

describe("Burgee-Guard", () => {
  it("is in the feature, in lists, and in the list of changes until the change is taken back", async () => {
    await patch(guarded("errors; for=2h"));
    const { json } = await burgee.getFeature(feature);
    const listed = await burgee.send({
      method: "GET",
      path: `/api/admin/projects/default/features?with=environments&limit=200`,
    });
    const changes = async () => (await burgee.getChanges(feature, production)).json.changes;
    const [made] = await changes();
    await trip();

    const { guard } = json.environments[1];
    const inList = listed.json.features.find(({ name }: { name: string }) => name === feature);
    const hours = (Date.parse(guard.until) - Date.parse(made.environments[0].writtenAt)) / 3_600_000;
    expect([guard.name, hours]).toEqual(["errors", 2]);
    expect(inList.environments[1].guard).toEqual(guard);
    expect(made).toMatchObject({ guard: "errors", environments: [{ guardedUntil: guard.until }] });
    expect((await changes())[1].environments[0]).not.toHaveProperty("guardedUntil");
    expect((await burgee.getFeature(feature)).json.environments[1]).not.toHaveProperty("guard");
  });

  it("is that of the first attempt in each environment", async () => {
    const keyed = (guard: string) => ({ headers: { "idempotency-key": feature, "burgee-guard": guard } });
    await burgee.patch(feature, red, { ...byName, ...keyed("first; for=2h") });

    const again = await burgee.patch(feature, red, { ...byName, ...keyed("second") });

    expect(again.status).toBe(200);
    expect(featuresOf(await trip("second"))).toEqual([]);
    expect(featuresOf(await pass(119, () => trip("first")))).toMatchObject([{ outcome: "undone" }]);
  });

  it.each([
    "",
    "a b",
    "a/b",
    "a; for=59s",
    "a; for=25h",
    "a; for=1d",
    "a; for=",
    "a; until=1m",
    "x".repeat(101),
  ])('refuses "%s" with 400', async (guard) => {
    expect(await patch(guarded(guard))).toEqual(invalid({ message: naming("Burgee-Guard", "30m") }));
  });

  it("is refused for an undo, and for tags", async () => {
    const change = idOf(await patch());

    const undo = await burgee.undo(feature, change, { ...production, ...guarded() });
    const tags = await burgee.putTags(feature, { addedTags: [], removedTags: [] }, guarded());

    expect([undo, tags]).toEqual(Array(2).fill(invalid({ message: naming("Burgee-Guard") })));
  });
});

describe("TRIP_GUARD", () => {
  it("allows trips and their dry runs in its environment, and nothing else", async () => {
    const key = await burgee.keyWith({
      permission: "TRIP_GUARD",
      project: "default",
      environment: "production",
    });
    await patch();

    const dry = await trip("errors", { key, query: "?dryRun=true" });
    const done = await trip("errors", { key });
    const elsewhere = await trip("errors", { key, environment: "development" });
    const read = await burgee.getVariants(feature, { key });

    expect([dry, done].map(featuresOf)).toMatchObject([[{ outcome: "would undo" }], [{ outcome: "undone" }]]);
    expect(elsewhere).toEqual(noAccess({ message: naming("TRIP_GUARD", '"development"') }));
    expect(read.status).toBe(403);
    expect(dry.json).not.toHaveProperty("missingPermissions");
  });

  it.each(["errors", "nothing"])(
    "is missing in the dry run of a key that may only read: %s",
    async (guard) => {
      const key = await burgee.keyWith({ permission: "READ" });
      await patch();

      const { status, json } = await trip(guard, { key, query: "?dryRun=true" });

      const missing = [{ permission: "TRIP_GUARD", environment: "production" }];
      expect([status, json.missingPermissions]).toEqual([200, missing]);
    },
  );
});
