/** The API key of a request: who is let in, and that nothing discloses one. The life of a cached key: test/unit/access */
import { describe, expect, it, vi } from "vitest";
import { hashKey } from "../../../lib/access/authenticate.ts";
import { apiKeyTableKey } from "../../../lib/store/items/items.ts";
import { tagged, unauthenticated, unchanged } from "../../support/answers.ts";
import { adminKey, useBurgee } from "../../support/burgee.ts";
import { log } from "../../support/log.ts";
import { add, remove } from "../../support/patching.ts";
import { addFeature, featureOf, projectOf, tag, variant } from "../../support/seed.ts";

const permissions = [{ permission: "ADMIN" }];
const disabledKey = "burgee-test-key-disabled";
const expiredKey = "burgee-test-key-expired";
const lastingKey = "burgee-test-key-lasting";
const unknownKey = "burgee-test-key-unknown";
const noTags = { addedTags: [], removedTags: [] };

const values = [0, 1, 2, 3].map((index) =>
  variant(`large-${index}`, { weight: 250, payload: { type: "string", value: "x".repeat(45_000) } }),
);

const burgee = useBurgee({
  projects: [projectOf("default", "development")],
  features: [featureOf("large", { development: values }), featureOf("small", { development: [] })],
  apiKeys: [
    { name: "disabled", key: disabledKey, permissions, disabled: true },
    { name: "expired", key: expiredKey, permissions, expiresAt: "2026-01-01T00:00:00Z" },
    { name: "lasting", key: lastingKey, permissions, expiresAt: "2999-01-01T00:00:00+02:00" },
  ],
});

it.each([`Bearer ${adminKey}`, lastingKey])("a valid API key is accepted: %s", async (key) => {
  const feature = await addFeature(burgee);

  expect(await burgee.putTags(feature, noTags, { key })).toEqual(tagged(feature, []));
  expect(await burgee.patchVariants(feature, [], { key })).toEqual(
    unchanged([], "development", "production"),
  );
});

describe("a request without a valid key returns 401 AuthenticationRequired and www-authenticate", () => {
  it.each([
    ["no Authorization header", null],
    ["an empty header", ""],
    ["an unknown key", unknownKey],
    ["a disabled key", disabledKey],
    ["an expired key", expiredKey],
    ["another scheme", `Basic ${adminKey}`],
    ["the hash of a key, which is what is stored", hashKey(adminKey)],
  ])("%s, whatever else is wrong with it", async (_, key) => {
    const answers = [
      await burgee.putTags("small", noTags, { key }),
      await burgee.patchVariants("small", [], { key }),
      await burgee.patchVariants("missing", undefined, { key, body: "{" }),
    ];

    const { message } = (await burgee.getTags("small", { key: unknownKey })).json;
    expect(answers).toEqual(answers.map(() => unauthenticated()));
    expect(new Set(answers.map(({ json }) => json.message))).toEqual(new Set([message]));
  });

  it.each([unknownKey, disabledKey, expiredKey])(
    "%s, after the one small read that a valid key costs",
    async (key) => {
      for (const feature of ["large", "small", "unknown"]) {
        for (const send of [burgee.getTags, burgee.getVariants]) {
          burgee.wire.reset();

          expect(await send(feature, { key })).toEqual(unauthenticated());
          expect(burgee.wire.calls.map(({ operation, units }) => [operation, units])).toEqual([
            ["GetItem", 1],
          ]);
        }
      }
    },
  );
});

it("a revoked key is refused 30 seconds after it was read", async () => {
  const key = await burgee.keyWith({ permission: "READ" });
  const statusAfter = async (seconds: number) => {
    vi.setSystemTime(Date.now() + seconds * 1000);
    const { status } = await burgee.getTags("small", { key });
    vi.useRealTimers();
    return status;
  };

  const before = await statusAfter(0);
  await burgee.remove(apiKeyTableKey(hashKey(key)));

  expect([before, await statusAfter(29), await statusAfter(30)]).toEqual([200, 200, 401]);
});

it.each([
  ["a valid key", adminKey],
  ["an unknown key", unknownKey],
])("neither a response nor the log discloses %s, and the log no body", async (_, key) => {
  const feature = await addFeature(burgee);
  const update = { addedTags: [tag("secret-value", "secret-type")], removedTags: [] };
  vi.mocked(process.stdout.write).mockClear();

  const answers = [
    await burgee.putTags(feature, update, { key }),
    await burgee.putTags(feature, update, { key, headers: { "content-type": "text/plain" } }),
    await burgee.putTags(feature, { ...update, "secret-member": 1 }, { key }),
    await burgee.patchVariants(feature, [add("/-", { name: "secret-name", weight: 0 })], {
      key: `Bearer ${key}`,
    }),
    await burgee.patchVariants(feature, [remove("/9")], { key: `Bearer ${key}` }),
  ];

  const output = vi.mocked(process.stdout.write).mock.calls.join("");
  expect(log).toHaveLength(5);
  expect(JSON.stringify(answers)).not.toContain(key);
  expect(output).not.toContain(key);
  expect(output).not.toContain("secret");
});
