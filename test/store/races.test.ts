/** A feature that is deleted and created again, and a lost response. Every schedule: test/explore */

import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { writeFeature } from "../../infra/store/write-feature.ts";
import { limits } from "../../lib/contract/limits.ts";
import type { Tag } from "../../lib/contract/tags.ts";
import type { Variant } from "../../lib/contract/variants.ts";
import { emptyContent } from "../../lib/features/model.ts";
import { createStamp } from "../../lib/features/stamp.ts";
import { deleteFeature } from "../../lib/store/delete-and-restore.ts";
import { toEnvironmentState } from "../../lib/store/items/stored-content.ts";
import { type FoundFeature, readStoredFeature } from "../../lib/store/read-items.ts";
import { patchedTo } from "../support/answers.ts";
import { useBurgee } from "../support/burgee.ts";
import { add, times } from "../support/patching.ts";
import { addFeature, tag, variant } from "../support/seed.ts";
import { type Fate, isUpdate } from "../support/wire.ts";

// By the address, as responses are lost here.
const burgee = useBurgee({}, {}, { byAddress: true });

const lists: Record<string, Variant[]> = { development: [variant("blue")], production: [variant("blue")] };
const adding = (name: string) => [add("/-", { name, weight: 1 })];
const putting = (addedTags: Tag[], removedTags: Tag[] = []) => ({ addedTags, removedTags });
const update = putting([tag("team")]);
let feature: string;

beforeEach(async () => {
  feature = await addFeature(burgee, { environments: lists });
});

const read = async () => (await readStoredFeature(burgee.session, feature)) as FoundFeature;

async function recreated(): Promise<void> {
  await deleted();
  await burgee.apply(feature, lists);
}

async function deleted(): Promise<void> {
  await deleteFeature(burgee.session, await read(), createStamp({ by: "ops", requestId: "r" }));
}

it.each([
  ["without a precondition", undefined],
  ["with If-Match: *", "*"],
  ["with the ETag of the old one", "current"],
])("a patch %s never writes to the new feature", async (_, given) => {
  const ifMatch = given === "current" ? await burgee.etag(feature) : given;
  const headers = { ...(ifMatch !== undefined && { "if-match": ifMatch }) };
  burgee.wire.beforeFirst(isUpdate, recreated);

  const answer = await burgee.patchVariants(feature, adding("red"), { headers });

  // A proxy may have sent the write twice, and the old feature may have had it.
  expect([answer.status, answer.json.code]).toEqual([404, "outcome-unknown"]);
  expect(answer.headers).toHaveProperty("burgee-change");
  for (const environment of Object.keys(lists))
    expect(await burgee.names(feature, environment)).toEqual(["blue"]);
});

it.each([
  ["without a precondition", false],
  ["with the ETag of the old one", true],
])("a tag update %s never writes to the new feature", async (_, isConditional) => {
  const { etag = "" } = (await burgee.getTags(feature)).headers;
  const headers = { ...(isConditional && { "if-match": etag }) };
  burgee.wire.beforeFirst(isUpdate, recreated);

  const { status, json } = await burgee.putTags(feature, update, { headers });

  expect([status, json.message]).toEqual([404, expect.stringContaining("deleted meanwhile")]);
  expect((await burgee.getTags(feature)).json.tags).toEqual([]);
});

it("an environment that an interrupted deletion left behind gets a new uid with its new feature", async () => {
  const left = await burgee.storedEnvironment(feature, "production");
  await burgee.remove({ pk: left.pk, sk: "FEATURE" });

  await burgee.apply(feature, lists);

  const { uid, revision } = await burgee.storedEnvironment(feature, "production");
  expect(uid).not.toBe(left.uid);
  expect(revision).toBe(2);
});

it("the deletion of a feature that was created again since it was read is refused, and deletes nothing", async () => {
  const before = await read();
  await recreated();

  await expect(
    deleteFeature(burgee.session, before, createStamp({ by: "ops", requestId: "r" })),
  ).rejects.toThrow("another change was made at the same time");
  expect([...(await read()).environments.keys()]).toEqual(["development", "production"]);
});

/** Loses the response of the first update, and before its retry this happens. */
function loseFirst(happens: () => Promise<unknown>): void {
  let isFirst = true;
  burgee.wire.decide(async (call): Promise<Fate> => {
    if (isUpdate(call) && call.attempt > 1) await happens();
    const isLost = isFirst && isUpdate(call);
    if (isLost) isFirst = false;
    return isLost ? "lose the answer" : "pass";
  });
}

it("a patch whose response is lost is made once, and has the response that was lost", async () => {
  burgee.wire.decide((call) => (isUpdate(call) && call.attempt === 1 ? "lose the answer" : "pass"));

  const answer = await burgee.patchVariants(feature, adding("red"));

  const half = { weight: 500 };
  const outcomes = "development=patched, production=patched";
  const variants = [variant("blue", half), variant("red", half)];
  expect(answer).toEqual(patchedTo(variants, { outcomes, hint: "development" }));
});

describe("a write that a proxy repeats, so that the answer is the refusal of the second copy", () => {
  const overrides = [{ contextName: "userId", values: ["one"] }];
  const appending = [add("/0/overrides/0/values/-", "two")];
  const outcomes = "development=patched, production=patched";

  const seeded = {
    development: [variant("blue", { overrides })],
    production: [variant("blue", { overrides })],
  };

  beforeEach(async () => {
    feature = await addFeature(burgee, { environments: seeded });
    // The sandbox reads the API key for its first request alone.
    await burgee.patchVariants(feature, []);
    burgee.wire.reset();
    burgee.wire.decide((call) => (isUpdate(call) ? "repeat" : "pass"));
  });

  it.each([
    ["a patch that appends", appending, outcomes],
    ["a patch that leaves its own result unchanged", [add("/0/stickiness", "userId")], outcomes],
  ])("is made once, and reported: %s", async (_, patch, expected) => {
    const { status, headers } = await burgee.patchVariants(feature, patch);

    const calls = burgee.wire.calls.map(({ operation }) => operation);
    expect(calls).toEqual(["Query", "UpdateItem", "UpdateItem"]);
    expect([status, headers["burgee-environments"]]).toEqual([200, expected]);
    expect(headers).toHaveProperty("burgee-change");
    for (const environment of Object.keys(lists)) {
      const { revision, carried } = await stateOf(environment);
      expect(carried[0]).toMatchObject({ id: headers["burgee-change"], revision });
    }
  });

  it.each(["tag update", "patch"])("is never reported as not written at the deadline: %s", async (what) => {
    let remaining = 15_000;
    burgee.wire.decide((call) => {
      if (!isUpdate(call)) return "pass";
      remaining = 400;
      return "repeat";
    });
    const options = { remainingMs: () => remaining };

    const { status } = await (what === "patch"
      ? burgee.patchVariants(feature, appending, { ...options, environment: "development" })
      : burgee.putTags(feature, update, options));

    expect(status).toBe(what === "patch" ? 200 : 201);
  });

  it("is made once: a tag update", async () => {
    const { status, headers, json } = await burgee.putTags(feature, update);

    const now = await burgee.getTags(feature);
    expect([status, json, headers.etag]).toEqual([201, now.json, now.headers.etag]);
    expect(burgee.wire.calls.filter(isUpdate)).toHaveLength(1);
  });
});

const stateOf = async (environment: string) =>
  toEnvironmentState(await burgee.storedEnvironment(feature, environment));

describe("the outcome of an update whose response is lost is reported as not known", () => {
  it.each(["tag update", "patch"])("if no time is left to read what was deleted since: %s", async (what) => {
    const { pk } = await burgee.storedFeature(feature);
    const sk = what === "patch" ? "ENVIRONMENT#development" : "FEATURE";
    let remaining = 15_000;
    loseFirst(async () => {
      await burgee.remove({ pk, sk });
      remaining = 0;
    });
    const options = { remainingMs: () => remaining };

    const { status, json, headers } = await (what === "patch"
      ? burgee.patchVariants(feature, adding("red"), options)
      : burgee.putTags(feature, update, options));

    expect([status, json.code]).toEqual([503, "outcome-unknown"]);
    expect("burgee-change" in headers).toBe(what === "patch");
  });

  it("if the environment was deleted since", async () => {
    const { pk, sk } = await burgee.storedEnvironment(feature, "development");
    loseFirst(() => burgee.remove({ pk, sk }));

    const { status, json, headers } = await burgee.patchVariants(feature, adding("red"));

    const message =
      'environment "development": this environment of the feature was deleted meanwhile; it is not known whether the write was stored before';
    expect([status, json.message]).toEqual([404, message]);
    expect(headers).toHaveProperty("burgee-change");
  });

  it.each<[string, () => Promise<unknown>, number]>([
    ["the feature was deleted since", () => recreated(), 404],
    [
      "more updates followed than the feature keeps the ids of",
      () => updateTimes(limits.earlierWriteIds + 1),
      409,
    ],
  ])("if %s", async (_, happens, expected) => {
    loseFirst(happens);

    const { status, json } = await burgee.putTags(feature, update);

    expect([status, json.code]).toEqual([expected, "outcome-unknown"]);
  });
});

const updateTimes = async (count: number) => {
  for (const index of times(count, (index) => index)) {
    await burgee.putTags(feature, putting([tag(`other-${index}`)]));
  }
};

it.each([
  ["met its own copy", 0],
  ["was followed by as many updates as the feature keeps the ids of", limits.earlierWriteIds],
])("a tag update whose response was lost, and whose retry %s, is made once", async (_, count) => {
  loseFirst(async () => {
    await burgee.putTags(feature, putting([], [tag("team")]));
    await updateTimes(count - 1);
  });
  if (count === 0) loseFirst(async () => {});

  const { status, headers, json } = await burgee.putTags(feature, update);

  const now = await burgee.getTags(feature);
  expect([status, json.tags, headers.etag]).toEqual([201, now.json.tags, now.headers.etag]);
  // Another caller has removed it since.
  expect(json.tags.some(({ value }: Tag) => value === "team")).toBe(count === 0);
});

it.each([5, -5])(
  "does not retry a refused condition while the clock is %d minutes wrong",
  async (minutes) => {
    const { now } = Date;
    const clock = vi.spyOn(Date, "now").mockImplementation(() => now() + minutes * 60_000);
    onTestFinished(() => clock.mockRestore());
    burgee.wire.beforeFirst(isUpdate, () => burgee.putTags(feature, putting([tag("other")])));
    const { etag = "" } = (await burgee.getTags(feature)).headers;

    const { status } = await burgee.putTags(feature, update, { headers: { "if-match": etag } });

    expect(status).toBe(412);
    expect(burgee.wire.calls.filter(isUpdate)).toHaveLength(2);
  },
);

it("the ETag of tags never comes back, also where one command writes them twice", async () => {
  const stamp = createStamp({ by: "ops", requestId: "r" });
  const write = async () => {
    const environments = new Map(
      Object.entries(lists).map(([name, variants]) => [name, { ...emptyContent, variants }] as const),
    );
    const content = { name: feature, project: "default", tags: [tag("team")], environments };
    await writeFeature(burgee.session, await read(), content, stamp);
    return (await burgee.getTags(feature)).headers.etag;
  };
  const first = await write();
  await burgee.putTags(feature, putting([], [tag("team")]));

  expect(await write()).not.toBe(first);
});
