/** How many calls to DynamoDB a request makes: each costs time and money. */
import { beforeAll, describe, expect, it } from "vitest";
import { type Burgee, type Response, useBurgee } from "../support/burgee.ts";
import { add, remove } from "../support/patching.ts";
import { addFeature, tag, variant } from "../support/seed.ts";

const state = {
  projects: [{ id: "default", environments: ["development", "staging", "production"] }],
  features: [{ name: "checkout", project: "default", tags: [tag("team-a")] }],
};
const update = { addedTags: [tag("team-b")], removedTags: [] };
const addVariant = (burgee: Burgee, name: string, headers = {}) =>
  burgee.patch("checkout", [add("/-", { name, weight: 1 })], { headers });
const keyed = { "idempotency-key": "one" };
const wholePatch = ["Query", "UpdateItem", "UpdateItem", "UpdateItem"];

type Row = [string, () => Promise<Response>, operations: string[]];

async function expectOperations({ wire }: Burgee, [, send, operations]: Row): Promise<void> {
  await send();

  expect(wire.calls.map(({ operation }) => operation)).toEqual(operations);
}

describe("with a key that the sandbox knows", () => {
  const burgee = useBurgee(state);
  const nothing = { addedTags: [], removedTags: [] };

  beforeAll(async () => {
    await burgee.putTags("checkout", update);
    await burgee.patch("checkout", []);
  });

  it.each<Row>([
    ["a tag update is one call", () => burgee.putTags("checkout", update), ["UpdateItem"]],
    ["a tag update that asks for nothing only reads", () => burgee.putTags("checkout", nothing), ["GetItem"]],
    ["a patch writes once in each environment", () => addVariant(burgee, "blue"), wholePatch],
    ["a patch with a key makes no other calls", () => addVariant(burgee, "red", keyed), wholePatch],
    ["a refused patch only reads", () => burgee.patch("checkout", [remove("/99")]), ["Query"]],
  ])("%s", (...row) => expectOperations(burgee, row));
});

describe("with a key that the sandbox does not know", () => {
  const burgee = useBurgee(state, { KEY_CACHE_SECONDS: "0" });

  it.each<Row>([
    ["a tag update is two calls", () => burgee.putTags("checkout", update), ["GetItem", "UpdateItem"]],
    ["a patch looks the key up first", () => addVariant(burgee, "green"), ["GetItem", ...wholePatch]],
    ["a tag update without a key makes no call", () => burgee.putTags("checkout", update, { key: null }), []],
    ["a patch without a key makes no call", () => burgee.patch("checkout", [], { key: null }), []],
  ])("%s", (...row) => expectOperations(burgee, row));

  it("reads are consistent, so a caller sees what was acknowledged a moment ago", async () => {
    await burgee.getTags("checkout");
    await burgee.patch("checkout", []);
    await burgee.patch("checkout", [], { environment: "production" });

    const reads = burgee.wire.calls.map(({ operation, input }) => [operation, input.ConsistentRead]);
    const operations = ["GetItem", "GetItem", "GetItem", "Query", "GetItem", "GetItem", "GetItem"];
    expect(reads).toEqual(operations.map((operation) => [operation, true]));
  });
});

describe("a feature whose environments fill more than one page of a query", () => {
  const burgee = useBurgee();

  it("is read whole", async () => {
    const names = ["development", "integration", "staging", "production"];
    const large = variant("blue", { payload: { type: "string", value: "x".repeat(350_000) } });
    const environments = Object.fromEntries(names.map((name) => [name, [large]]));
    const feature = await addFeature(burgee, { environments });

    const { status, json } = await burgee.patch(feature, [remove("/0/payload")]);

    expect([status, json.variants]).toEqual([200, [variant("blue")]]);
    for (const name of names)
      expect((await burgee.storedEnvironment(feature, name)).variants).toEqual([variant("blue")]);
  });
});
