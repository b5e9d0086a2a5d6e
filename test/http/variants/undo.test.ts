/** The last changes of a feature's variants, and undoing them in every environment. */
import { beforeEach, describe, expect, it } from "vitest";
import { readStoredFeature } from "../../../infra/store/read-stored-feature.ts";
import { setVariants } from "../../../infra/store/set-variants.ts";
import { deleteFeature, writeFeature } from "../../../infra/store/write-feature.ts";
import type { Variant } from "../../../lib/contract/variants.ts";
import { createStamp } from "../../../lib/features/stores.ts";
import type { EnvironmentItem } from "../../../lib/store/items.ts";
import { type Place, type Request, type Response, useBurgee, variantsPath } from "../../support/burgee.ts";
import { add, remove } from "../../support/patching.ts";
import { addFeature, variant } from "../../support/seed.ts";

const burgee = useBurgee();

const blue = variant("blue");
const lists = { development: [blue], production: [blue] };
const addRed = [add("/-", { name: "red", weight: 1 })];
const stick = (text: string) => [add("/0/stickiness", text)];
let feature: string;

beforeEach(async () => {
  feature = await addFeature(burgee, { environments: lists });
});

const undo = (change: string, { query, ...place }: Partial<Request> & Place = {}): Promise<Response> => {
  const { headers, key, json, body } = place;
  const path = `${variantsPath(feature, place)}/changes/${change}/undo${query ? `?${query}` : ""}`;
  const sent = { ...(headers && { headers }), ...(key && { key }), ...(body !== undefined && { body }) };
  return burgee.send({ method: "POST", path, ...(json !== undefined && { json }), ...sent });
};

const list = async (place: Place = {}) => {
  const { query, ...rest } = place;
  const path = `${variantsPath(feature, rest)}/changes${query ? `?${query}` : ""}`;
  return burgee.send({ method: "GET", path });
};

async function patch(operations: unknown, options: Partial<Request> & Place = {}): Promise<string> {
  const { status, headers } = await burgee.patch(feature, operations, options);
  expect(status).toBe(200);
  return headers["burgee-change"] ?? "";
}

async function stored(): Promise<Variant[][]> {
  const items = Object.keys(lists).map((name) => burgee.storedEnvironment(feature, name));
  return (await Promise.all(items)).map(({ variants }) => variants);
}

const outcomes = ({ headers }: Response) => headers["burgee-environments"];
const both = (outcome: string) => `development=${outcome}, production=${outcome}`;

describe("a change is undone", () => {
  it("in every environment, to exactly the variants before it", async () => {
    const change = await patch(addRed);

    const answer = await undo(change);

    expect(answer).toMatchObject({ status: 200, json: { version: 1, variants: [blue] } });
    expect(outcomes(answer)).toBe(both("patched"));
    expect(answer.headers.etag).toBe(await burgee.etag(feature));
    expect(answer.headers["burgee-change"]).toMatch(/^[\w-]{11}$/);
    expect(await stored()).toEqual([[blue], [blue]]);
  });

  it("and an undo itself is undone", async () => {
    const change = await patch(addRed);
    const after = await stored();
    const undone = await undo(change);

    expect((await undo(undone.headers["burgee-change"] ?? "")).status).toBe(200);
    expect(await stored()).toEqual(after);
  });

  it("after the later changes were undone, step by step", async () => {
    const changes = [await patch(addRed), await patch(stick("userId")), await patch(stick("sessionId"))];

    for (const change of changes.reverse()) expect((await undo(change)).status).toBe(200);

    expect(await stored()).toEqual([[blue], [blue]]);
  });

  it("where it is stored, after a patch that stopped halfway", async () => {
    await burgee.patch(feature, [remove("/0")], { environment: "production" });
    const half = await burgee.patch(feature, stick("userId"));
    expect(half).toMatchObject({ status: 400, headers: { "burgee-change": expect.any(String) } });

    const answer = await undo(half.headers["burgee-change"] ?? "");

    expect(outcomes(answer)).toBe("development=patched, production=unchanged");
    expect(await stored()).toEqual([[blue], []]);
  });

  it("in one environment by its route", async () => {
    const change = await patch(addRed);

    expect(outcomes(await undo(change, { environment: "production" }))).toBe("production=patched");
    expect((await stored()).map(({ length }) => length)).toEqual([2, 1]);
    expect(outcomes(await undo(change))).toBe("development=patched, production=unchanged");
  });

  it("and an environment that was added since is left unchanged", async () => {
    const change = await patch(addRed);
    const before = await readStoredFeature(burgee.session, feature);
    const kept = [...before.environments].map(([name, { variants }]) => [name, variants] as const);
    const environments = new Map([...kept, ["staging", [variant("green")]]]);
    const after = { name: feature, project: "default", tags: [], environments };
    await writeFeature(burgee.session, before, after, {
      stamp: createStamp({ by: "root", request: "apply" }),
    });

    expect(outcomes(await undo(change))).toBe(`${both("patched")}, staging=unchanged`);
    expect(await burgee.names(feature, "staging")).toEqual(["green"]);
  });

  it("once: a second undo leaves everything unchanged", async () => {
    const change = await patch(addRed);
    await undo(change);
    burgee.wire.reset();

    const answer = await undo(change);

    expect([answer.status, outcomes(answer)]).toEqual([200, both("unchanged")]);
    expect(answer.headers["burgee-change"]).toBeUndefined();
    expect(burgee.writes()).toEqual([]);
  });

  it("of an operator too, with weights and an order that no patch would leave", async () => {
    const odd = [variant("red", { weight: 7 }), variant("blue", { weight: 8 })];
    const { environments } = await readStoredFeature(burgee.session, feature);
    const known = environments.get("development") as EnvironmentItem;
    const stamp = createStamp({ by: "root", request: "apply" });
    const target = { project: "default", feature, environment: "development" };
    await setVariants(burgee.session, { ...target, variants: odd, stamp }, known);
    const change = await patch(stick("userId"), { environment: "development" });
    await undo(change, { environment: "development" });
    expect((await stored())[0]).toEqual(odd);

    const { json } = await list();
    expect(json.changes.map(({ by }: { by: string }) => by)).toEqual(["admin", "admin", "root"]);
    await undo(json.changes[2].id);
    expect((await stored())[0]).toEqual([blue]);
  });
});

describe("an undo is refused", () => {
  it("with 409 before anything is written, if an environment was changed since", async () => {
    const change = await patch(addRed);
    const later = await patch(stick("userId"), { environment: "production" });
    const before = await stored();

    const { status, json, headers } = await undo(change);

    expect(status).toBe(409);
    expect(json.details).toEqual([
      { environment: "development", outcome: "not attempted" },
      {
        environment: "production",
        outcome: "failed",
        message: expect.stringContaining(`${later} by "admin" at 2`),
      },
    ]);
    expect(headers["burgee-change"]).toBeUndefined();
    expect(await stored()).toEqual(before);
  });

  it("with 409 that names the later changes in effect, and no undo", async () => {
    const change = await patch(addRed);
    const undone = (await undo(await patch(stick("userId")))).headers["burgee-change"];
    const later = await patch(stick("sessionId"));

    const { json } = await undo(change);

    expect(json.message).toContain(later);
    expect(json.message).not.toContain(undone);
    expect((await undo(undone ?? "")).json.message).toContain("only while it is the newest");
  });

  it("with 409 if an environment may have dropped the change", async () => {
    const change = await patch(addRed);
    for (let index = 0; index < 12; index++) {
      const { headers } = await burgee.patch(feature, stick(`s${index}`), { environment: "production" });
      await undo(headers["burgee-change"] ?? "", { environment: "production" });
    }

    const { status, json } = await undo(change);

    expect(status).toBe(409);
    expect(json.details).toMatchObject([{ outcome: "not attempted" }, { outcome: "failed" }]);
    expect((await undo(change, { environment: "development" })).status).toBe(200);
  });

  it.each([
    ["404 if no environment keeps the change", "AAAAAAAAAAA", {}, 404],
    ["400 for a misspelt dry run", "AAAAAAAAAAA", { query: "dryrun=true" }, 400],
    ["400 for a body with members", "AAAAAAAAAAA", { json: { to: 1 } }, 400],
    [
      "415 for a body of another type",
      "AAAAAAAAAAA",
      { body: "x", headers: { "content-type": "text/plain" } },
      415,
    ],
  ])("with %s", async (_, change, options, status) => {
    expect((await undo(change, options)).status).toBe(status);
  });

  it("with 403 without the permission where it would write", async () => {
    const change = await patch(addRed);
    const permits = (environment: string) =>
      burgee.keyWith(
        { permission: "UPDATE_FEATURE_VARIANTS" },
        { permission: "UPDATE_FEATURE_ENVIRONMENT_VARIANTS", environment },
      );
    const key = await permits("development");

    expect((await undo(change, { key })).status).toBe(403);
    expect((await stored()).map(({ length }) => length)).toEqual([2, 2]);
    await undo(change, { environment: "production" });
    expect((await undo(change, { key })).status).toBe(200);
  });

  it("with 404 after the feature was deleted and created again", async () => {
    const change = await patch(addRed);
    await deleteFeature(burgee.session, feature, await readStoredFeature(burgee.session, feature));
    await addFeature(burgee, { name: feature, environments: lists });

    expect((await undo(change)).status).toBe(404);
    expect((await list()).json.changes).toEqual([]);
  });

  it("with 412 for another ETag, and made for the current one", async () => {
    const change = await patch(addRed);

    expect((await undo(change, { headers: { "if-match": '"other"' } })).status).toBe(412);
    expect((await undo(change, { headers: { "if-match": await burgee.etag(feature) } })).status).toBe(200);
  });
});

describe("with an idempotency key", () => {
  const once = { headers: { "idempotency-key": "once" } };

  it("a retry of a request that was undone is refused, and writes nothing", async () => {
    const change = await patch(addRed, once);
    const undone = (await undo(change, { environment: "production" })).headers["burgee-change"];

    const { status, json } = await burgee.patch(feature, addRed, once);

    expect([status, json.message]).toEqual([409, expect.stringContaining(`${undone}`)]);
    expect((await stored()).map(({ length }) => length)).toEqual([2, 1]);
  });

  it("also after its record has left the list", async () => {
    const change = await patch(addRed, once);
    await undo(change);
    for (let index = 0; index < 25; index++) {
      await burgee.patch(feature, stick(`s${index}`), { headers: { "idempotency-key": `k${index}` } });
    }

    expect((await burgee.patch(feature, addRed, once)).status).toBe(409);
    expect(await burgee.names(feature)).toEqual(["blue"]);
  });

  it("a retry is patched again once the undo was undone", async () => {
    const undone = await undo(await patch(addRed, once));
    await undo(undone.headers["burgee-change"] ?? "");

    const { status, headers } = await burgee.patch(feature, addRed, once);

    expect([status, headers["burgee-environments"]]).toEqual([200, both("patched")]);
    expect(await burgee.names(feature)).toEqual(["blue", "red"]);
  });

  it("every attempt of a request has the same change, also where nothing was left to write", async () => {
    await patch([remove("/0")], { environment: "production" });
    const half = await burgee.patch(feature, stick("userId"), once);
    await patch(addRed, { environment: "production" });
    const whole = await burgee.patch(feature, stick("userId"), once);
    const again = await burgee.patch(feature, stick("userId"), once);

    expect([half.status, whole.status, again.status]).toEqual([400, 200, 200]);
    const ids = [half, whole, again].map(({ headers }) => headers["burgee-change"]);
    expect(new Set(ids).size).toBe(1);
    const { json } = await list();
    const times = json.changes.filter(({ id }: { id: string }) => id === ids[0]);
    expect(times).toHaveLength(1);
    expect(times[0].environments).toHaveLength(2);
  });

  it("a retry of an undo after a lost response is that undo", async () => {
    const change = await patch(addRed);
    const first = await undo(change, once);
    await patch(stick("userId"));

    const again = await undo(change, once);

    expect([again.status, outcomes(again)]).toEqual([200, both("patched")]);
    expect(again.headers["burgee-change"]).toBe(first.headers["burgee-change"]);
  });
});

describe("a dry run of an undo", () => {
  it("shows what it would do, and writes nothing", async () => {
    const change = await patch(addRed);
    const before = await stored();

    const { status, json } = await undo(change, { query: "dryRun=true&by=name" });

    expect(status).toBe(200);
    expect(json.environments[0]).toMatchObject({
      outcome: "patched",
      changes: [
        { op: "remove", path: "/red" },
        { op: "replace", path: "/blue/weight", value: 1000 },
      ],
    });
    expect(await stored()).toEqual(before);
  });

  it("has the environments that refuse it, or their status with handling=strict", async () => {
    const change = await patch(addRed);
    await patch(stick("userId"), { environment: "production" });
    const strict = { headers: { prefer: "handling=strict" } };

    const { json } = await undo(change, { query: "dryRun=true" });

    expect(json.environments.map(({ outcome }: { outcome: string }) => outcome)).toEqual([
      "patched",
      "failed",
    ]);
    expect((await undo(change, { query: "dryRun=true", ...strict })).status).toBe(409);
  });
});

describe("a write conflict during an undo", () => {
  const conflicting = (operations: unknown) =>
    burgee.wire.beforeFirst(
      ({ operation, input }) =>
        operation === "UpdateItem" && JSON.stringify(input.Key).includes("ENVIRONMENT#production"),
      () => burgee.patch(feature, operations, { environment: "production" }),
    );

  it("stops it where the variants were changed, and lists the outcomes", async () => {
    const change = await patch(addRed);
    conflicting(stick("userId"));

    const { status, json, headers } = await undo(change);

    expect(status).toBe(409);
    expect(json.details).toMatchObject([{ outcome: "patched" }, { outcome: "failed" }]);
    expect(headers["burgee-change"]).toBeDefined();
  });

  it("is a 412 with an ETag", async () => {
    const change = await patch(addRed, { environment: "production" });
    conflicting(stick("userId"));

    const etag = await burgee.etag(feature, { environment: "production" });
    const { status } = await undo(change, { environment: "production", headers: { "if-match": etag } });

    expect(status).toBe(412);
  });
});

it("an undo leaves alone what the request changes in another environment after the undo has read it", async () => {
  const once = { headers: { "idempotency-key": "once" } };
  await patch([remove("/0")], { environment: "production" });
  const half = await burgee.patch(feature, stick("userId"), once);
  const key = await burgee.keyWith(
    { permission: "UPDATE_FEATURE_VARIANTS" },
    { permission: "UPDATE_FEATURE_ENVIRONMENT_VARIANTS", environment: "development" },
  );
  burgee.wire.beforeFirst(
    ({ operation, input }) =>
      operation === "UpdateItem" && JSON.stringify(input.Key).includes("ENVIRONMENT#"),
    async () => {
      await patch([add("/-", blue)], { environment: "production" });
      await burgee.patch(feature, stick("userId"), once);
      // The undo meets a write conflict, waits, and reads the next environment again.
      await undo(await patch(addRed, { environment: "development" }));
    },
  );

  const answer = await undo(half.headers["burgee-change"] ?? "", { key });

  expect(outcomes(answer)).toBe("development=patched, production=unchanged");
  expect(await stored()).toMatchObject([[{ stickiness: "default" }], [{ stickiness: "userId" }]]);
});

describe("the list of changes", () => {
  it("has what each change did in every environment, newest first", async () => {
    const first = await patch(addRed);
    const second = await patch(stick("userId"), { environment: "development" });
    const undone = (await undo(second)).headers["burgee-change"];

    const { status, json, headers } = await list({ query: "by=name" });

    expect(status).toBe(200);
    expect(headers.etag).toBe(await burgee.etag(feature));
    const added = [
      { op: "replace", path: "/blue/weight", value: 500 },
      { op: "add", path: "/red", value: { weight: 500, weightType: "variable", stickiness: "default" } },
    ];
    const at = expect.stringMatching(/^\d{4}-.*Z$/);
    const sticky = (value: string) => [{ op: "replace", path: "/blue/stickiness", value }];
    const inDevelopment = (value: string, canUndo: boolean) => [
      { environment: "development", changes: sticky(value), canUndo },
    ];
    expect(json.changes).toEqual([
      { id: undone, by: "admin", at, undoes: second, environments: inDevelopment("default", true) },
      { id: second, by: "admin", at, environments: inDevelopment("userId", false) },
      {
        ...{ id: first, by: "admin", at },
        environments: Object.keys(lists).map((environment) => ({
          environment,
          changes: added,
          canUndo: true,
        })),
      },
    ]);
  });

  it("of one environment has its changes alone", async () => {
    await patch(addRed);
    const second = await patch(stick("userId"), { environment: "production" });

    const { json } = await list({ environment: "production" });

    expect(json.changes.map(({ id }: { id: string }) => id)[0]).toBe(second);
    expect(
      json.changes.every(({ environments }: { environments: unknown[] }) => environments.length === 1),
    ).toBe(true);
  });

  it("is empty for a feature that was not changed", async () => {
    expect((await list()).json).toEqual({ version: 1, changes: [] });
  });
});

it("variants that leave no room for their way back are written, and their change cannot be undone", async () => {
  const inDevelopment = { environment: "development" };
  const payload = (text: string) => [add("/0/payload", { type: "string", value: text.repeat(250 * 1024) })];
  await patch(payload("a"), inDevelopment);

  const change = await patch(payload("b"), inDevelopment);

  const { json } = await list(inDevelopment);
  expect(json.changes).toMatchObject([{ id: change, environments: [{ canUndo: false }] }]);
  expect(json.changes[0].environments[0]).not.toHaveProperty("changes");
  const { status, json: refused } = await undo(change);
  expect([status, refused.message]).toEqual([409, expect.stringContaining("did not fit")]);
});
