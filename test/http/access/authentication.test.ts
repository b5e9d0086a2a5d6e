import { afterEach, describe, expect, it, vi } from "vitest";
import { hashKey } from "../../../lib/access/authenticate.ts";
import { tagged, unauthenticated, unchanged } from "../../support/answers.ts";
import { adminKey, type Response, useBurgee } from "../../support/burgee.ts";
import { log } from "../../support/log.ts";
import { add, remove } from "../../support/patching.ts";
import { addFeature, tag, variant } from "../../support/seed.ts";

const permissions = [{ permission: "ADMIN" }];
const disabledKey = "burgee-test-key-disabled";
const expiredKey = "burgee-test-key-expired";
const lastingKey = "burgee-test-key-lasting";
const unknownKey = "burgee-test-key-unknown";
const noTags = { addedTags: [], removedTags: [] };

const values = [0, 1, 2, 3].map((index) =>
  variant(`large-${index}`, { weight: 250, payload: { type: "string", value: "x".repeat(90_000) } }),
);

const burgee = useBurgee({
  projects: [{ id: "default", environments: ["development"] }],
  features: [
    { name: "large", project: "default", environments: { development: { variants: values } } },
    { name: "small", project: "default", environments: { development: { variants: [] } } },
  ],
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
    ["before its expiry", lastingKey],
  ])("%s", async (_, key) => {
    const feature = await addFeature(burgee);

    expect(await burgee.putTags(feature, noTags, { key })).toEqual(tagged(feature, []));
    expect(await burgee.patch(feature, [], { key })).toEqual(unchanged([], "development", "production"));
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

describe("a request without a valid key returns 401 AuthenticationRequired and www-authenticate", () => {
  const refusedHeaders: [string, string | null][] = [
    ["no Authorization header", null],
    ["an empty header", ""],
    ["an unknown key", unknownKey],
    ["a disabled key", disabledKey],
    ["an expired key", expiredKey],
    ["another scheme", `Basic ${adminKey}`],
    ["a key with one more character", `${adminKey}x`],
    ["the hash of a key, which is what is stored", hashKey(adminKey)],
  ];

  it.each(refusedHeaders)("%s", async (_, key) => {
    expect(await burgee.putTags("any", noTags, { key })).toEqual(unauthenticated());
    expect(await burgee.patch("any", [], { key })).toEqual(unauthenticated());
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

describe.each([
  ["unknown", unknownKey],
  ["disabled", disabledKey],
  ["expired", expiredKey],
])("a request with a key that is %s makes the one small read that a valid key costs", (_, key) => {
  it.each<[string, (feature: string) => Promise<Response>]>([
    ["a tag update", (feature) => burgee.putTags(feature, noTags, { key })],
    ["a patch", (feature) => burgee.patch(feature, [], { key })],
    ["a read of tags", (feature) => burgee.getTags(feature, { key })],
    ["a read of variants", (feature) => burgee.getVariants(feature, { key })],
    [
      "a read of one environment",
      (feature) => burgee.getVariants(feature, { key, environment: "development" }),
    ],
  ])("as %s, whether the feature is large, small or unknown", async (_, send) => {
    for (const feature of ["large", "small", "unknown"]) {
      burgee.wire.reset();

      expect(await send(feature)).toEqual(unauthenticated());
      expect(burgee.wire.calls.map(({ operation, units }) => [operation, units])).toEqual([["GetItem", 1]]);
    }
  });
});

describe("neither a response nor the log discloses a key, and the log no body:", () => {
  it.each([
    ["a valid key", adminKey],
    ["an unknown key", unknownKey],
    ["a disabled key", disabledKey],
    ["an expired key", expiredKey],
  ])("%s", async (_, key) => {
    const feature = await addFeature(burgee);
    const update = { addedTags: [tag("secret-value", "secret-type")], removedTags: [] };
    const patch = [add("/-", { name: "secret-name", weight: 0 })];
    const asText = { headers: { "content-type": "text/plain" } };
    vi.mocked(process.stdout.write).mockClear();

    const answers = [
      await burgee.putTags(feature, update, { key }),
      await burgee.putTags(feature, update, { key, ...asText }),
      await burgee.putTags(feature, { ...update, "secret-member": 1 }, { key }),
      await burgee.patch(feature, patch, { key: `Bearer ${key}` }),
      await burgee.patch(feature, [remove("/9")], { key: `Bearer ${key}` }),
    ];

    const output = vi.mocked(process.stdout.write).mock.calls.join("");
    expect(log).toHaveLength(5);
    expect(JSON.stringify(answers)).not.toContain(key);
    expect(output).not.toContain(key);
    expect(output).not.toContain("secret");
  });
});
