/**
 * The newest changes of a feature, and undoing them in every environment. Long lists of changes: ./long-history.test.ts.
 * Concurrent ones: test/explore
 */
import { beforeEach, describe, expect, it } from "vitest";
import { createStamp } from "../../../lib/features/stamp.ts";
import { deleteFeature } from "../../../lib/store/delete-and-restore.ts";
import { type FoundFeature, readStoredFeature } from "../../../lib/store/read-items.ts";
import { detailsOf, naming, withVariants } from "../../support/answers.ts";
import { type Place, type Request, type Response, useBurgee } from "../../support/burgee.ts";
import { add, remove, replace, replaced } from "../../support/patching.ts";
import { addFeature, variant } from "../../support/seed.ts";

type Options = Partial<Request> & Place;

const burgee = useBurgee();

const blue = variant("blue");
const lists = { development: [blue], production: [blue] };
const inDevelopment = { environment: "development" };
const inProduction = { environment: "production" };
const unknown = "AAAAAAAAAAA";
const addRed = [add("/-", { name: "red", weight: 1 })];
const stick = (text: string) => [add("/0/stickiness", text)];
let feature: string;

beforeEach(async () => {
  feature = await addFeature(burgee, { environments: lists });
});

const undo = (change: string, options?: Options) => burgee.undo(feature, change, options);
const list = (place?: Place) => burgee.getChanges(feature, place);

const changeOf = ({ headers }: Response) => headers["burgee-change"] ?? "";

async function patch(operations: unknown, options: Options = {}): Promise<string> {
  const answer = await burgee.patchVariants(feature, operations, options);
  expect(answer.status).toBe(200);
  return changeOf(answer);
}

const items = () => Promise.all(Object.keys(lists).map((name) => burgee.storedEnvironment(feature, name)));
const stored = async () => (await items()).map(({ variants }) => variants);

const outcomes = ({ headers }: Response) => headers["burgee-environments"];
const both = (outcome: string) => `development=${outcome}, production=${outcome}`;
describe("a change is undone", () => {
  it("once, to exactly the variants before it", async () => {
    const change = await patch(addRed);

    const undone = await undo(change);
    const etag = await burgee.etag(feature);
    burgee.wire.reset();
    const again = await undo(change);

    expect(undone).toMatchObject({ status: 200, headers: { etag }, json: withVariants([blue]) });
    expect(outcomes(undone)).toBe(both("patched"));
    expect(await stored()).toEqual([[blue], [blue]]);
    expect([again.status, outcomes(again), changeOf(again)]).toEqual([200, both("unchanged"), ""]);
    expect(burgee.writes()).toEqual([]);
  });

  it("once, also when later changes have been made and undone", async () => {
    const change = await patch(addRed);
    const undone = changeOf(await undo(change));
    await patch(stick("userId"));

    const again = await undo(change);

    expect([again.status, outcomes(again), changeOf(again)]).toEqual([200, both("unchanged"), ""]);
    expect((await list()).json.changes[2].environments).toMatchObject(
      Object.keys(lists).map((environment) => ({ environment, undoneBy: undone, canUndo: false })),
    );
  });

  it("and made again by a new patch of what the list has of it", async () => {
    const change = await patch(addRed);
    const after = await stored();
    await undo(change);

    const { json } = await list();
    const [{ difference }] = json.changes[1].environments;
    await burgee.patchFeature(feature, difference);

    expect(json.changes[1].id).toBe(change);
    expect(await stored()).toEqual(after);
  });

  it("in one environment by its route", async () => {
    const change = await patch(addRed);

    expect(outcomes(await undo(change, inProduction))).toBe("production=patched");
    expect((await stored()).map(({ length }) => length)).toEqual([2, 1]);
    expect(outcomes(await undo(change))).toBe("development=patched, production=unchanged");
  });

  it("of an operator too, with weights and an order that no patch would leave", async () => {
    const odd = [variant("red", { weight: 7 }), variant("blue", { weight: 8 })];
    await burgee.apply(feature, { ...lists, development: odd });
    await undo(await patch(stick("userId"), inDevelopment), inDevelopment);
    expect((await stored())[0]).toEqual(odd);

    const { json } = await list();
    expect(json.changes.map(({ by }: { by: string }) => by)).toEqual(["admin", "admin", "operator"]);
    await undo(json.changes[2].id);
    expect((await stored())[0]).toEqual([blue]);
  });
});

describe("an undo is refused", () => {
  it("with 409 before anything is written, if an environment was changed since", async () => {
    const change = await patch(addRed);
    const later = await patch(stick("userId"), inProduction);
    const before = await stored();

    const answer = await undo(change);

    const message = `The feature was changed later by ${later}; undo that change first`;
    expect([answer.status, changeOf(answer)]).toEqual([409, ""]);
    expect(answer.json.details).toEqual(
      detailsOf({ development: "not attempted", production: { code: "cannot-undo", message } }),
    );
    expect(await stored()).toEqual(before);
  });

  it.each([
    ["404 if the change is not kept", {}, 404],
    ["400 for a misspelt dry run", { query: "dryrun=true" }, 400],
    ["400 for a body with members", { json: { to: 1 } }, 400],
    ["415 for a body of another type", { body: "x", headers: { "content-type": "text/plain" } }, 415],
    [
      "415 for that of a patch",
      { json: {}, headers: { "content-type": "application/json-patch+json" } },
      415,
    ],
  ])("with %s", async (_, options, status) => {
    expect((await undo(unknown, options)).status).toBe(status);
  });

  it("with 409 for an undo: the message says how to make the change again", async () => {
    const change = await patch(addRed, inProduction);
    const undone = changeOf(await undo(change));
    const before = await items();

    const answer = await undo(undone);

    const message = expect.stringContaining(`to make the change ${change} again, send its difference`);
    expect([answer.status, changeOf(answer), answer.json.message]).toEqual([409, "", message]);
    expect(await items()).toEqual(before);
  });

  it("with 403 without the permission in every environment of its path, also where it would not write", async () => {
    const change = await patch(addRed, inDevelopment);
    const key = await burgee.keyWith(
      { permission: "UPDATE_FEATURE_VARIANTS" },
      { permission: "UPDATE_FEATURE_ENVIRONMENT_VARIANTS", ...inDevelopment },
    );

    expect((await undo(change, { key })).status).toBe(403);
    expect((await stored()).map(({ length }) => length)).toEqual([2, 1]);
    expect((await undo(change, { key, ...inDevelopment })).status).toBe(200);
  });

  it("with 404 after the feature was deleted and created again", async () => {
    const change = await patch(addRed);
    const stamp = createStamp({ by: "ops", requestId: "r" });
    const read = (await readStoredFeature(burgee.session, feature)) as FoundFeature;
    await deleteFeature(burgee.session, read, stamp);
    await burgee.apply(feature, lists);

    expect((await undo(change)).status).toBe(404);
    expect((await list()).json).toEqual({ version: 1, changes: [] });
  });

  it("with 412 for another ETag, and made for the current one", async () => {
    const change = await patch(addRed);

    expect((await undo(change, { headers: { "if-match": '"other"' } })).status).toBe(412);
    expect((await undo(change, { headers: { "if-match": await burgee.etag(feature) } })).status).toBe(200);
  });
});

describe("an undo that meets a concurrent patch", () => {
  /** The id of a patch that comes before the undo's write of this environment. */
  function patchBeforeWriteOf({ environment }: { environment: string }): Promise<string> {
    return new Promise((resolve, reject) => {
      burgee.wire.beforeFirst(
        ({ operation, input }) =>
          operation === "UpdateItem" && JSON.stringify(input.Key).includes(environment),
        () => patch(stick("userId"), { environment }).then(resolve, reject),
      );
    });
  }

  it("stops there with 409 and each outcome, and a retry goes on", async () => {
    const change = await patch(addRed);
    const later = patchBeforeWriteOf(inProduction);

    const stopped = await undo(change);
    await undo(await later, inProduction);
    const retried = await undo(change);

    const failed = { code: "cannot-undo", message: naming(await later) } as const;
    const details = detailsOf({ development: "patched", production: failed });
    expect([stopped.status, stopped.json]).toMatchObject([409, { code: "cannot-undo", details }]);
    expect(changeOf(stopped)).not.toBe("");
    expect([retried.status, outcomes(retried)]).toEqual([200, "development=unchanged, production=patched"]);
    expect(await stored()).toEqual([[blue], [blue]]);
  });

  it("is refused with 412 and the current ETag, where it has an ETag in If-Match and has written nothing", async () => {
    const change = await patch(addRed);
    const headers = { "if-match": await burgee.etag(feature) };
    const later = patchBeforeWriteOf(inDevelopment);

    const answer = await undo(change, { headers });

    await later;
    const etag = await burgee.etag(feature);
    expect([answer.status, answer.headers.etag, changeOf(answer)]).toEqual([412, etag, ""]);
    expect((await stored()).map(({ length }) => length)).toEqual([2, 2]);
  });
});

it("a retry of an undo is that undo, without a body or with an empty object", async () => {
  const once = { headers: { "idempotency-key": "once" } };
  const change = await patch(addRed);
  const first = await undo(change, once);
  await patch(stick("userId"));

  for (const body of [{}, { json: {} }]) {
    const again = await undo(change, { ...once, ...body });
    const expected = [200, both("already patched"), changeOf(first)];
    expect([again.status, outcomes(again), changeOf(again)]).toEqual(expected);
  }
});

describe("a dry run of an undo", () => {
  it("shows what it would do, and writes nothing", async () => {
    const change = await patch(addRed);
    const before = await stored();

    const { status, json } = await undo(change, { query: "dryRun=true&by=name" });

    const difference = [remove("/variants/red"), replace("/variants/blue/weight", 1000)];
    expect([status, json.environments[0]]).toMatchObject([200, { outcome: "would patch", difference }]);
    expect(await stored()).toEqual(before);
  });

  it("has the environments that refuse it, or their status with handling=strict", async () => {
    const change = await patch(addRed);
    await patch(stick("userId"), inProduction);

    const { json } = await undo(change, { dryRun: true });
    const strict = await undo(change, { dryRun: true, headers: { prefer: "handling=strict" } });

    expect(json.environments).toMatchObject([{ outcome: "would patch" }, { outcome: "failed" }]);
    expect([strict.status, strict.json.details[0].outcome]).toEqual([409, "not attempted"]);
  });
});

it("the list of changes has what each did in every environment, newest first", async () => {
  const first = await patch(addRed);
  const second = await patch(stick("userId"), inDevelopment);
  const undone = changeOf(await undo(second));

  const { json, headers } = await list({ query: "by=name" });
  const ofProduction = (await list(inProduction)).json.changes;

  const added = [
    replaced("/variants/blue/weight", 500, 1000),
    add("/variants/red", { weight: 500, weightType: "variable", stickiness: "default" }),
  ];
  const at = expect.stringMatching(/^\d{4}-.*Z$/);
  const sticky = (value: string, was: string) => [replaced("/variants/blue/stickiness", value, was)];
  const entry = { by: "admin", at };
  const below = { writtenAt: at, moves: [], isTop: false, canUndo: false };
  const onTop = { writtenAt: at, moves: [], isTop: true, canUndo: true };
  const changes = [
    {
      ...{ ...entry, id: undone, undoes: second },
      environments: [{ ...inDevelopment, ...below, difference: sticky("default", "userId") }],
    },
    {
      ...{ ...entry, id: second },
      environments: [
        { ...inDevelopment, ...below, difference: sticky("userId", "default"), undoneBy: undone },
      ],
    },
    {
      ...{ ...entry, id: first },
      environments: [inDevelopment, inProduction].map((one) => ({ ...one, ...onTop, difference: added })),
    },
  ];
  expect(json).toEqual({ version: 1, changes });
  const part = (await burgee.etag(feature)).slice(1, -1);
  expect(headers.etag?.slice(1, -1).split(".")[0]).toBe(part);
  expect(ofProduction).toMatchObject([{ id: first, environments: [inProduction] }]);
});
