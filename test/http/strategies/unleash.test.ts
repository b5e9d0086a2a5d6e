/** The strategies of an environment at Unleash's own paths. */
import { beforeEach, describe, expect, it } from "vitest";
import { invalid, notFound, refused } from "../../support/answers.ts";
import { featurePath, type Request, useBurgee } from "../../support/burgee.ts";
import { replace } from "../../support/patching.ts";
import { addFeature, variant } from "../../support/seed.ts";

const burgee = useBurgee();
const rollout = {
  name: "flexibleRollout",
  parameters: { rollout: "25", stickiness: "default", groupId: "g" },
};
const stored = { ...rollout, id: "s1", sortOrder: 9999, constraints: [], variants: [] };

let feature: string;
beforeEach(async () => {
  feature = await addFeature(burgee, { environments: { development: [], production: [variant("blue")] } });
});

const send = (method: Request["method"], below: string, json?: unknown, options: Partial<Request> = {}) =>
  burgee.send({
    method,
    path: featurePath(feature, { environment: "production", below }),
    ...(json !== undefined && { json }),
    ...options,
  });
const post = (json: unknown, options?: Partial<Request>) => send("POST", "/strategies", json, options);
const put = (json: unknown, options?: Partial<Request>) => send("PUT", "/strategies/s1", json, options);
const list = async () => (await send("GET", "/strategies")).json;
const retried = { headers: { "idempotency-key": "a" } };

describe("POST adds a strategy", () => {
  it("by the id that is sent, and responds with it", async () => {
    expect(await post({ id: "s1", ...rollout })).toMatchObject({ status: 200, json: stored });
    expect(await list()).toEqual([stored]);
  });

  it("makes an id where none is sent", async () => {
    const { status, json } = await post(rollout);

    expect([status, await list()]).toEqual([200, [json]]);
    expect(json).toEqual({ ...stored, id: expect.stringMatching(/^[\w-]{11}$/) });
  });

  it("once, however often it is retried with an Idempotency-Key", async () => {
    const first = await post(rollout, retried);

    expect((await post(rollout, retried)).json).toEqual(first.json);
    expect(await list()).toHaveLength(1);
    expect(await post({ name: "default" }, retried)).toMatchObject({ status: 409 });
    expect(await post(rollout)).toMatchObject({ status: 200 });
    expect(await list()).toHaveLength(2);
  });

  it("responds with 409 if there is one of its id, and with 400 beyond 30", async () => {
    await post({ id: "s1", ...rollout });
    expect(await post({ id: "s1", ...rollout })).toEqual(
      refused(409, "ConflictError", { code: "exists", details: expect.any(Array) }),
    );

    for (let index = 2; index <= 30; index++) await post({ id: `s${index}`, name: "default" });
    expect(await post(rollout)).toEqual(invalid({ details: expect.any(Array) }));
  });

  it("all of ten that are sent at once", async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => post(rollout)));

    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200));
    expect(await list()).toHaveLength(10);
  });
});

it("GET of one strategy, and of one that is not there", async () => {
  await post({ id: "s1", ...rollout });

  expect(await send("GET", "/strategies/s1")).toMatchObject({ status: 200, json: stored });
  expect(await send("GET", "/strategies/s2")).toEqual(notFound());
});

describe("PUT replaces a strategy", () => {
  it("and writes nothing where only the sign of a zero differs", async () => {
    await post({ id: "s1", ...rollout, sortOrder: 0 });
    burgee.wire.reset();

    // `JSON.stringify` would write -0 as 0.
    const body = JSON.stringify({ ...rollout, sortOrder: 0 }).replace('"sortOrder":0', '"sortOrder":-0');
    expect(await put(undefined, { body })).toMatchObject({ status: 200 });

    expect(burgee.writes()).toEqual([]);
  });

  it("as scripts do that send back what they read of Unleash", async () => {
    await post({ id: "s1", ...rollout });
    const read = { ...stored, title: null, disabled: null, segments: [], featureName: feature };
    const more = { projectId: "default", environment: "production", createdAt: "2026-01-31T12:00:00Z" };

    const changed = { ...read, ...more, parameters: { ...rollout.parameters, rollout: "50" } };

    expect(await put(changed)).toMatchObject({ status: 200, json: { parameters: { rollout: "50" } } });
    expect((await list())[0]).toEqual({ ...stored, parameters: changed.parameters });
  });

  it("refuses segments, another id and unknown members by name, and 404 where there is none", async () => {
    expect(await put(rollout)).toMatchObject({ status: 404 });
    await post({ id: "s1", ...rollout });

    const { json } = await put({ ...rollout, segments: [1] });
    expect(json.details).toEqual([{ path: "/segments", message: "must be empty: send their constraints" }]);
    expect(await put({ ...rollout, id: "s2" })).toMatchObject({ status: 400 });
    expect(await put({ ...rollout, stale: true })).toMatchObject({ status: 400 });
    expect(await put({ ...rollout, parameters: {} })).toMatchObject({ status: 400 });
    expect(await list()).toEqual([stored]);
  });
});

describe("a retry of a request whose strategy was removed since", () => {
  const requests = {
    POST: () => send("POST", "/strategies", { id: "s1", ...rollout }, retried),
    PUT: () => put({ name: "default" }, retried),
    PATCH: () => send("PATCH", "/strategies/s1", [replace("/sortOrder", 1)], retried),
  };

  it.each(Object.entries(requests))("is a 404 that says that the %s was applied", async (method, request) => {
    if (method !== "POST") await post({ id: "s1", ...rollout });
    const { headers } = await request();
    const removal = await send("DELETE", "/strategies/s1");

    const retry = await request();

    expect(retry).toEqual({
      ...notFound({
        code: "applied",
        message: 'The request was applied; the strategy "s1" was removed since',
        details: [{ environment: "production", outcome: "already patched" }],
      }),
      headers: expect.objectContaining({ "burgee-change": headers["burgee-change"] }),
    });
    expect(await list()).toEqual([]);
    await burgee.undo(feature, removal.headers["burgee-change"] ?? "", { environment: "production" });
    expect(await request()).toMatchObject({ status: 200, json: { id: "s1" } });
  });

  it("is a 404 on the first attempt too, where its response was lost", async () => {
    burgee.wire.decideWrites(async (count) => {
      if (count === 2) await send("DELETE", "/strategies/s1");
      return count === 1 ? "lose the answer" : "pass";
    });

    expect(await post({ id: "s1", ...rollout })).toEqual(
      notFound({ code: "applied", details: [{ environment: "production", outcome: "patched" }] }),
    );
  });
});

describe("DELETE removes a strategy", () => {
  it("alone, and its undo restores it", async () => {
    await post({ id: "s1", ...rollout });
    await post({ id: "s2", ...rollout });

    const { status, json, headers } = await send("DELETE", "/strategies/s1");

    expect([status, json]).toEqual([200, undefined]);
    expect(await list()).toMatchObject([{ id: "s2" }]);
    await burgee.undo(feature, headers["burgee-change"] ?? "", { environment: "production" });
    expect(await list()).toMatchObject([{ id: "s1" }, { id: "s2" }]);
  });

  it("is a 404 where there is none, and 200 for a retry with the same Idempotency-Key", async () => {
    expect(await send("DELETE", "/strategies/s1")).toMatchObject({ status: 404 });
    await post({ id: "s1", ...rollout });

    expect(await send("DELETE", "/strategies/s1", undefined, retried)).toMatchObject({ status: 200 });
    expect(await send("DELETE", "/strategies/s1", undefined, retried)).toMatchObject({ status: 200 });
  });

  it("is previewed by a dry run", async () => {
    await post({ id: "s1", ...rollout });

    const { json } = await send("DELETE", "/strategies/s1?dryRun=true");

    expect(json.environments[0].difference).toMatchObject([{ op: "remove", path: "/strategies/s1" }]);
    expect(await list()).toHaveLength(1);
  });
});

it("GET of an environment has what its patch applies to, and the ETag that a patch needs", async () => {
  await post({ id: "s1", ...rollout });

  const { json, headers } = await send("GET", "");

  const { id: _, ...rest } = stored;
  const { name, ...blue } = variant("blue");
  expect(json).toEqual({
    version: 1,
    environment: "production",
    enabled: false,
    variants: { [name]: blue },
    strategies: { s1: { ...rest, variants: {} } },
  });
  const patched = await send("PATCH", "", [replace("/enabled", true)], {
    headers: { "if-match": headers.etag ?? "" },
  });
  expect(patched).toMatchObject({ status: 200 });
});

describe("ten callers at once", () => {
  it("100 of 100 acknowledged patches of a strategy are stored", async () => {
    const constraints = Array.from({ length: 10 }, (_, index) => ({
      contextName: `field-${index}`,
      operator: "IN",
      values: [],
    }));
    await post({ id: "s1", ...rollout, constraints });
    const add = (caller: number, value: string) =>
      send("PATCH", "/strategies/s1", [{ op: "add", path: `/constraints/${caller}/values/-`, value }]);

    const callers = constraints.map(async (_, caller) => {
      const statuses: number[] = [];
      for (let turn = 0; turn < 10; turn++) statuses.push((await add(caller, `${caller}-${turn}`)).status);
      return statuses;
    });

    expect((await Promise.all(callers)).flat()).toEqual(Array(100).fill(200));
    const values = (await list())[0].constraints.flatMap((one: { values: string[] }) => one.values);
    expect(new Set(values).size).toBe(100);
  });

  it("20 of 20 variants that meet a rollout are stored, and the rollouts too", async () => {
    await post({ id: "s1", ...rollout });
    const path = "/strategies/s1";

    for (let turn = 1; turn <= 20; turn++) {
      const value = { name: `v${turn}`, weight: 0 };
      const answers = await Promise.all([
        send("PATCH", path, [{ op: "add", path: "/variants/-", value }]),
        send("PATCH", path, [replace("/parameters/rollout", String(turn))]),
      ]);

      expect(answers.map(({ status }) => status)).toEqual([200, 200]);
      const [strategy] = await list();
      expect([strategy.variants.length, strategy.parameters.rollout]).toEqual([turn, String(turn)]);
    }
  });
});
