/** Messages are for people, and no part of the contract; but each says what went wrong, in the caller's own words. */
import { describe, expect, it } from "vitest";
import { environmentKey } from "../../../lib/store/items.ts";
import { naming } from "../../support/answers.ts";
import { useBurgee } from "../../support/burgee.ts";
import { add } from "../../support/patching.ts";
import { addFeature, tag, variant } from "../../support/seed.ts";
import type { Fate } from "../../support/wire.ts";

const noTags = { addedTags: [], removedTags: [] };
const environments = { development: [variant("blue")], production: [variant("blue")] };
const adding = (name: string) => [add("/-", { name, weight: 1 })];

const burgee = useBurgee();

describe("the message of an error names", () => {
  it("a feature that does not exist", async () => {
    const read = await burgee.getTags("no-such-one");
    const put = await burgee.putTags("no-such-one", noTags);
    const patched = await burgee.patch("no-such-one", [], { project: "shop" });

    expect(read.json.message).toEqual(naming("no-such-one"));
    expect(put.json.message).toEqual(naming("no-such-one"));
    expect(patched.json.message).toEqual(naming("shop", "no-such-one"));
  });

  it("an environment that the feature has not", async () => {
    const feature = await addFeature(burgee, { environments });

    const { json } = await burgee.patch(feature, [], { environment: "staging" });

    expect(json.message).toEqual(naming(feature, "staging"));
  });

  it("an environment that was deleted before it was written", async () => {
    const feature = await addFeature(burgee, { environments });
    burgee.wire.decide(async ({ operation }): Promise<Fate> => {
      if (operation === "UpdateItem") await burgee.remove(environmentKey(feature, "development"));
      return "pass";
    });

    const { status, json } = await burgee.patch(feature, adding("red"));

    expect(status).toBe(404);
    expect(json.message).toEqual(naming("development", "deleted or moved", "nothing was written"));
  });

  it("the permission that is missing, and the project", async () => {
    const feature = await addFeature(burgee, { project: "shop", environments });
    const key = await burgee.keyWith({ permission: "UPDATE_FEATURE", project: "other" });

    const { status, json } = await burgee.putTags(
      feature,
      { addedTags: [tag("a1")], removedTags: [] },
      { key },
    );

    expect(status).toBe(403);
    expect(json.message).toEqual(naming("UPDATE_FEATURE", "shop"));
  });

  it("If-Match and Idempotency-Key where they refuse a request", async () => {
    const feature = await addFeature(burgee, { environments });
    const ifMatch = await burgee.patch(feature, adding("red"), { headers: { "if-match": '"other"' } });
    const headers = { "idempotency-key": "one" };
    await burgee.patch(feature, adding("red"), { headers });
    const repeated = await burgee.patch(feature, adding("green"), { headers });

    expect(ifMatch.json.message).toEqual(naming("If-Match", "nothing was written"));
    expect(repeated.json.message).toEqual(naming("Idempotency-Key", "different body"));
  });
});

describe("the message of a patch that stopped says why", () => {
  it("after repeated write conflicts", async () => {
    const feature = await addFeature(burgee, { environments });
    burgee.wire.decide(({ operation }) =>
      operation === "UpdateItem" ? { error: "ConditionalCheckFailedException" } : "pass",
    );

    const { json } = await burgee.patch(feature, adding("red"), { timeoutMs: 700 });

    expect(json.message).toEqual(naming("development", "repeated write conflicts", "nothing was written"));
  });

  it("when another request changed an environment that If-Match protects", async () => {
    const feature = await addFeature(burgee, { environments });
    const { headers } = await burgee.getVariants(feature);
    let writes = 0;
    burgee.wire.decide(({ operation }) =>
      operation === "UpdateItem" && ++writes > 1 ? { error: "ConditionalCheckFailedException" } : "pass",
    );

    const { json } = await burgee.patch(feature, adding("red"), {
      headers: { "if-match": headers.etag ?? "" },
    });

    expect(json.message).toEqual(naming("production", "changed by another request"));
  });

  it("of an internal error without its cause", async () => {
    const feature = await addFeature(burgee, { environments });
    burgee.wire.decide(({ operation }) =>
      operation === "UpdateItem" ? { error: "ResourceNotFoundException" } : "pass",
    );

    const { json } = await burgee.patch(feature, adding("red"));

    expect(json.details[0].message).toBe("Internal error");
  });
});
