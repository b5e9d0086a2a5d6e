import { afterEach, describe, expect, it, vi } from "vitest";
import { hashKey } from "../../../lib/access/authenticate.ts";
import { patchedTo, tagged, unauthenticated } from "../../support/answers.ts";
import { adminKey, useBurgee } from "../../support/burgee.ts";
import { deliver } from "../../support/deliver.ts";
import { toEvent } from "../../support/event.ts";
import { log } from "../../support/log.ts";
import { addFeature } from "../../support/seed.ts";

const permissions = [{ permission: "ADMIN" }];
const disabledKey = "burgee-test-key-disabled";
const expiredKey = "burgee-test-key-expired";
const lastingKey = "burgee-test-key-lasting";
const unknownKey = "burgee-test-key-that-nobody-gave-out";
const noTags = { addedTags: [], removedTags: [] };

const burgee = useBurgee({
  apiKeys: [
    { name: "disabled", key: disabledKey, permissions, disabled: true },
    { name: "expired", key: expiredKey, permissions, expiresAt: "2026-01-01T00:00:00Z" },
    { name: "lasting", key: lastingKey, permissions, expiresAt: "2999-01-01T00:00:00+02:00" },
  ],
});

afterEach(() => vi.useRealTimers());

describe("an API key is accepted", () => {
  it.each([
    ["alone in the header", adminKey],
    ["after Bearer", `Bearer ${adminKey}`],
    ["after bearer in lower case", `bearer ${adminKey}`],
    ["after BEARER in upper case", `BEARER ${adminKey}`],
    ["after Bearer and several spaces", `Bearer   ${adminKey}`],
    ["before its expiry", lastingKey],
  ])("%s", async (_, key) => {
    const feature = await addFeature(burgee);

    const put = await burgee.putTags(feature, noTags, { key });
    const patch = await burgee.patch(feature, [], { key });

    expect(put).toEqual(tagged(feature, []));
    expect(patch).toEqual(patchedTo([]));
  });

  it.each(["Authorization", "AUTHORIZATION", "aUtHoRiZaTiOn"])("in a header named %s", async (name) => {
    const feature = await addFeature(burgee);
    const event = toEvent({
      method: "PUT",
      path: `/api/admin/features/${feature}/tags`,
      headers: { [name]: adminKey, "Content-Type": "application/json" },
      body: JSON.stringify(noTags),
    });

    const answer = await deliver("tags", event);

    expect(answer).toEqual(tagged(feature, []));
  });

  it("until it expires, also by a sandbox that has just accepted it", async () => {
    const feature = await addFeature(burgee);
    const key = "burgee-test-key-that-soon-expires";
    const expiry = Date.now() + 10_000;
    const expiresAt = new Date(expiry).toISOString();
    await burgee.store({ apiKeys: [{ name: "soon", key, permissions, expiresAt }] });

    const before = await burgee.putTags(feature, noTags, { key });
    vi.useFakeTimers({ toFake: ["Date"], now: expiry });
    const after = await burgee.putTags(feature, noTags, { key });

    expect(before.status).toBe(201);
    expect(after).toEqual(unauthenticated());
  });
});

describe("a request without a valid key is answered with 401 AuthenticationRequired and www-authenticate", () => {
  const refusedHeaders: [string, string | null][] = [
    ["no Authorization header", null],
    ["an empty header", ""],
    ["a header of spaces", "   "],
    ["Bearer without a key", "Bearer"],
    ["Bearer and a space", "Bearer "],
    ["an unknown key", unknownKey],
    ["an unknown key after Bearer", `Bearer ${unknownKey}`],
    ["a disabled key", disabledKey],
    ["an expired key", expiredKey],
    ["another scheme", `Basic ${adminKey}`],
    ["a key in another letter case", adminKey.toUpperCase()],
    ["a key with one more character", `${adminKey}x`],
    ["the hash of a key, which is what is stored", hashKey(adminKey)],
  ];

  it.each(refusedHeaders)("%s, on the tag update", async (_, key) => {
    const answer = await burgee.putTags("any", noTags, { key });

    expect(answer).toEqual(unauthenticated());
  });

  it.each(refusedHeaders)("%s, on the variant patch", async (_, key) => {
    const answer = await burgee.patch("any", [], { key });

    expect(answer).toEqual(unauthenticated());
  });

  it("missing, empty, unknown, disabled and expired keys get the same body but for the id", async () => {
    const feature = await addFeature(burgee);
    const keys = [null, "", unknownKey, disabledKey, expiredKey];

    const answers = await Promise.all(
      keys.flatMap((key) => [burgee.putTags(feature, noTags, { key }), burgee.patch(feature, [], { key })]),
    );

    const bodies = answers.map(({ json }) => JSON.stringify({ ...json, id: "" }));
    expect(new Set(bodies).size).toBe(1);
    expect(new Set(answers.map(({ json }) => json.id)).size).toBe(answers.length);
  });

  it.each([
    ["unknown", unknownKey],
    ["disabled", disabledKey],
    ["expired", expiredKey],
  ])("an %s key costs the one look-up that a valid one costs, so it takes the same time", async (_, key) => {
    burgee.wire.reset();

    await burgee.putTags("any", noTags, { key });

    expect(burgee.wire.calls.map(({ operation }) => operation)).toEqual(["GetItem"]);
  });

  it("a caller with no valid key learns nothing about features, bodies or permissions", async () => {
    const feature = await addFeature(burgee);
    const requests = [
      burgee.patch(feature, [], { key: unknownKey }),
      burgee.patch("missing", [], { key: unknownKey }),
      burgee.patch(feature, [], { key: unknownKey, project: "missing" }),
      burgee.patch(feature, undefined, { key: unknownKey, body: "{" }),
      burgee.patch(feature, undefined, { key: unknownKey, body: "x".repeat(300_000) }),
      burgee.patch(feature, [], { key: unknownKey, headers: { "content-type": "text/plain" } }),
    ];

    const answers = await Promise.all(requests);

    expect(answers).toEqual(requests.map(() => unauthenticated()));
  });
});

describe("a key is never disclosed", () => {
  it.each([
    ["a valid", adminKey],
    ["an unknown", unknownKey],
    ["a disabled", disabledKey],
    ["an expired", expiredKey],
  ])("%s key stands neither in the answer nor in the log", async (_, key) => {
    const feature = await addFeature(burgee);

    const answers = [
      await burgee.putTags(feature, noTags, { key }),
      await burgee.patch(feature, [{ op: "remove", path: "/9" }], { key: `Bearer ${key}` }),
    ];

    expect(log).toHaveLength(2);
    expect(JSON.stringify(answers)).not.toContain(key);
    expect(JSON.stringify(log)).not.toContain(key);
  });
});
