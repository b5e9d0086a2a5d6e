/** How many calls to DynamoDB a request makes: each costs time and money. */
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { limits } from "../../lib/contract/limits.ts";
import { type Burgee, type Response, useBurgee } from "../support/burgee.ts";
import { add, remove, times } from "../support/patching.ts";
import { addFeature, tag, variant } from "../support/seed.ts";

const environment = "production";
const update = { addedTags: [tag("team-b")], removedTags: [] };
const nothing = { addedTags: [], removedTags: [] };
const addVariant = (burgee: Burgee, feature: string, name: string, options = {}) =>
  burgee.patchVariants(feature, [add("/-", { name, weight: 1 })], options);
const keyed = { headers: { "idempotency-key": "one" } };
const updates = ["UpdateItem", "UpdateItem", "UpdateItem"];
const firstPatch = ["Query", ...updates];

interface Row {
  /** Requests that were made before, to the same feature. */
  after?: ((feature: string) => Promise<unknown>)[];
  send: (feature: string) => Promise<Response>;
  makes: string[];
}

async function expectOperations(burgee: Burgee, { after = [], send, makes }: Row): Promise<void> {
  const environments = { development: [], staging: [], production: [] };
  const feature = await addFeature(burgee, { tags: [tag("team-a")], environments });
  for (const earlier of after) await earlier(feature);
  burgee.wire.reset();

  await send(feature);

  const { calls } = burgee.wire;
  expect(calls.map(({ operation }) => operation)).toEqual(makes);
  // So a caller sees what was acknowledged a moment ago.
  const reads = calls.filter(({ operation }) => /^(Get|Query)/.test(operation));
  expect(reads.every(({ input }) => input.ConsistentRead === true)).toBe(true);
}

describe("with a key that the sandbox knows", () => {
  const burgee = useBurgee();
  beforeAll(async () => {
    await burgee.putTags("none", nothing);
    await burgee.patchVariants("none", []);
  });
  const updateTags = (feature: string, options = {}) => burgee.putTags(feature, update, options);
  const adding =
    (name: string, options = {}) =>
    (feature: string) =>
      addVariant(burgee, feature, name, options);
  const untilFull = times(limits.carriedChanges, (index) => adding(`v${index}`));

  it.each<[string, Row]>([
    ["a tag update reads and writes", { send: updateTags, makes: ["GetItem", "UpdateItem"] }],
    [
      "a tag update that changes nothing only reads",
      {
        after: [updateTags],
        send: updateTags,
        makes: ["GetItem"],
      },
    ],
    [
      "a tag update with an old ETag only reads",
      {
        send: (feature) => updateTags(feature, { headers: { "if-match": '"other"' } }),
        makes: ["GetItem"],
      },
    ],
    ["a patch writes once in each environment", { send: adding("blue"), makes: firstPatch }],
    ["the next one too", { after: [adding("blue")], send: adding("yellow"), makes: firstPatch }],
    [
      "a patch with a key looks for an earlier attempt too",
      {
        send: adding("red", keyed),
        makes: ["Query", ...firstPatch],
      },
    ],
    [
      "its retry finds it in the environments, as long as nothing else has changed them",
      {
        after: [adding("red", keyed)],
        send: adding("red", keyed),
        makes: ["Query"],
      },
    ],
    [
      "a patch that finds the environments full makes items of their changes first, by one call",
      {
        after: untilFull,
        send: adding("green"),
        makes: ["Query", "BatchWriteItem", ...updates],
      },
    ],
    [
      "a patch of one environment writes that one only",
      {
        send: adding("grey", { environment }),
        makes: ["GetItem", "GetItem", "UpdateItem"],
      },
    ],
    [
      "a list of changes reads all that the environments do not carry, up to 25, by one call",
      {
        after: [...untilFull, adding("green")],
        send: (feature) => burgee.getChanges(feature),
        makes: ["Query", "BatchGetItem"],
      },
    ],
    [
      "a refused patch only reads",
      {
        send: (feature) => burgee.patchVariants(feature, [remove("/99")]),
        makes: ["Query"],
      },
    ],
  ])("%s", (_, row) => expectOperations(burgee, row));
});

describe("a trip", () => {
  const burgee = useBurgee();
  afterEach(() => void vi.useRealTimers());

  it("looks for no change whose time under the guard has ended", async () => {
    const feature = await addFeature(burgee, { environments: { production: [variant("blue")] } });
    const switchTo = (to: "on" | "off", guard = {}) =>
      burgee.switch(feature, to, { environment, headers: guard });
    for (const _ of times(limits.carriedChanges + 1, (index) => index)) {
      await switchTo("on", { "burgee-guard": "errors; for=1m" });
      await switchTo("off", { "burgee-guard": "errors; for=1h" });
    }
    await switchTo("on");
    vi.useFakeTimers({ now: Date.now() + 2 * 3_600_000, toFake: ["Date"] });
    burgee.wire.reset();

    const path = `/api/admin/projects/default/environments/${environment}/guards/errors/trip`;
    const { json } = await burgee.send({ method: "POST", path });

    expect(json.features).toEqual([]);
    // The key, what is under the guard, and whether there is such an environment.
    expect(burgee.wire.calls.map(({ operation }) => operation)).toEqual(["GetItem", "Query", "GetItem"]);
  });
});

describe("a patch that meets another one in its first environment", () => {
  const burgee = useBurgee();

  it("reads the others again before it writes them, as the other patch goes on to them too", async () => {
    const feature = await addFeature(burgee);
    await addVariant(burgee, feature, "blue");
    burgee.wire.reset();
    burgee.wire.beforeFirst(
      ({ operation }) => operation === "UpdateItem",
      () => addVariant(burgee, feature, "green"),
    );

    expect((await addVariant(burgee, feature, "red")).status).toBe(200);

    const conflicts = burgee.wire.calls.filter(
      ({ operation, units }) => operation === "UpdateItem" && units === 0,
    );
    expect(conflicts).toHaveLength(1);
    // Without an idempotency key no earlier attempt is looked for.
    expect(burgee.wire.calls.filter(({ operation }) => operation === "Query")).toHaveLength(2);
  });
});

describe("environments that carry as many changes as they can", () => {
  const burgee = useBurgee();

  it("are not written where the first one fails, and else have every change kept", async () => {
    const feature = await addFeature(burgee, { environments: { development: [], production: [] } });
    const addNext = (index: number) =>
      burgee.patchVariants(feature, [add("/-", { name: `v${index}`, weight: 1 })]);
    for (const index of times(limits.carriedChanges, (index) => index)) await addNext(index);
    await burgee.patchVariants(feature, [remove("/0")], { environment: "development" });
    burgee.wire.reset();

    await burgee.patchVariants(feature, [remove(`/${limits.carriedChanges - 1}`)]);
    expect(burgee.wire.calls.map(({ operation }) => operation)).toEqual(["Query"]);

    await addNext(limits.carriedChanges);
    const { changes } = (await burgee.getChanges(feature, { environment })).json;
    expect(changes).toHaveLength(limits.carriedChanges + 1);
  });
});

describe("with a key that the sandbox does not know", () => {
  const burgee = useBurgee({}, { KEY_CACHE_SECONDS: "0" });

  it.each<[string, Row]>([
    [
      "a tag update looks the key up first",
      {
        send: (feature) => burgee.putTags(feature, update),
        makes: ["GetItem", "GetItem", "UpdateItem"],
      },
    ],
    [
      "a patch looks the key up first",
      {
        send: (feature) => addVariant(burgee, feature, "green"),
        makes: ["GetItem", ...firstPatch],
      },
    ],
    [
      "a tag update without a key makes no call",
      {
        send: (feature) => burgee.putTags(feature, update, { key: null }),
        makes: [],
      },
    ],
    [
      "a patch without a key makes no call",
      {
        send: (feature) => burgee.patchVariants(feature, [], { key: null }),
        makes: [],
      },
    ],
  ])("%s", (_, row) => expectOperations(burgee, row));
});

describe("a feature whose environments fill more than one page of a query", () => {
  const burgee = useBurgee();

  it("is read whole", async () => {
    const names = ["development", "integration", "qa", "load", "demo", "staging", "production"];
    const large = variant("blue", { payload: { type: "string", value: "x".repeat(180_000) } });
    const environments = Object.fromEntries(names.map((name) => [name, [large]]));
    const feature = await addFeature(burgee, { environments });

    const { headers } = await burgee.patchVariants(feature, [remove("/0/payload")]);

    expect(headers["burgee-environments"]).toBe(names.map((name) => `${name}=patched`).join(", "));
  });
});
