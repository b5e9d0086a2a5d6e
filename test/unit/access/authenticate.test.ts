/** How long a key that was read is accepted. Headers and keys as clients send them: test/http/access/authentication.test.ts */
import { afterEach, describe, expect, it, vi } from "vitest";
import {
  type ApiKey,
  authenticate,
  createKeyCache,
  hashKey,
  presentedKey,
} from "../../../lib/access/authenticate.ts";
import { AuthenticationRequired } from "../../../lib/contract/errors.ts";
import { times } from "../../support/patching.ts";

const noon = Date.parse("2026-11-21T12:00:00Z");
const key: ApiKey = { name: "pipeline", permissions: [{ permission: "ADMIN" }], disabled: false };
const disabled = { ...key, disabled: true };
const caller = {
  name: "pipeline",
  keyHash: hashKey("k3y").slice(0, 8),
  permissions: [{ permission: "ADMIN" }],
};
const refused = new AuthenticationRequired("A valid API key is required in the Authorization header", {
  headers: { "www-authenticate": 'Bearer realm="burgee"' },
});

afterEach(() => void vi.useRealTimers());

/** A store of some keys and a clock that stands at noon until it is moved; the look-ups are counted. */
function setUp(keys: Record<string, ApiKey>, seconds = 30) {
  const byHash = new Map(Object.entries(keys).map(([text, apiKey]) => [hashKey(text), apiKey]));
  const lookups: string[] = [];
  vi.useFakeTimers({ now: noon, toFake: ["Date"] });
  const readApiKey = async (hash: string) => {
    lookups.push(hash);
    return byHash.get(hash);
  };
  const cache = createKeyCache(seconds);
  const authenticated = (text: string) =>
    authenticate(text, { readApiKey, cache }, { permission: "any reader" });
  return {
    lookups,
    expectValid: async () => expect(await authenticated("k3y")).toEqual(caller),
    expectRefused: () => expect(authenticated("k3y")).rejects.toEqual(refused),
    pass(seconds: number) {
      vi.setSystemTime(Date.now() + seconds * 1000);
    },
    change(to?: ApiKey) {
      if (to) byHash.set(hashKey("k3y"), to);
      else byHash.delete(hashKey("k3y"));
    },
  };
}

it.each([
  ["  k3y  ", "k3y"],
  ["BEARER \t k3y ", "k3y"],
  ["  Bearer k3y", "k3y"],
  ["Bearerk3y", "Bearerk3y"],
  [undefined, undefined],
  ["\t", undefined],
  ["  bearer   ", undefined],
])("the key in an Authorization header of %j is %j", (header, key) => {
  if (key === undefined) expect(() => presentedKey(header)).toThrow(refused);
  else expect(presentedKey(header)).toBe(key);
});

describe("a valid key", () => {
  it.each([
    ["2026-11-21T14:00:10+02:00", 0, 3],
    ["2026-11-21T12:00:10Z", 30, 2],
  ])("is valid until %s, where keys are kept for %i seconds: %i look-ups", async (expiresAt, kept, count) => {
    const { expectValid, expectRefused, pass, lookups } = setUp({ k3y: { ...key, expiresAt } }, kept);

    await expectValid();
    pass(9.999);
    await expectValid();
    pass(0.001);
    await expectRefused();

    expect(lookups).toHaveLength(count);
  });

  it.each([
    ["removed", undefined, undefined, 30],
    ["disabled", disabled, 5, 5],
  ])(
    "is accepted while it is kept, however often it is used, after it was %s",
    async (_, to, kept, seconds) => {
      const { expectValid, expectRefused, lookups, pass, change } = setUp({ k3y: key }, kept);

      await expectValid();
      change(to);
      pass(seconds - 0.001);
      await expectValid();
      pass(0.001);
      await expectRefused();

      expect(lookups).toHaveLength(2);
    },
  );
});

it("a key that was revoked while its look-up was late is refused 30 seconds after the look-up began", async () => {
  const { expectValid, expectRefused, pass, change } = setUp({ k3y: key });

  const first = expectValid();
  pass(2);
  change(disabled);
  await first;
  pass(27.999);
  await expectValid();
  pass(0.001);

  await expectRefused();
});

it("a key that was revoked is refused although the clock was set back since it was read", async () => {
  const { expectValid, expectRefused, pass, change } = setUp({ k3y: key });

  await expectValid();
  change(disabled);
  pass(-3600);

  await expectRefused();
});

it("a key that is not valid is looked up each time, so that it works as soon as it is valid", async () => {
  const { expectValid, expectRefused, lookups, change } = setUp({ k3y: disabled });

  await expectRefused();
  change({ ...key, expiresAt: "soon" });
  await expectRefused();
  change(key);
  await expectValid();

  expect(lookups).toHaveLength(3);
});

it("the cache of keys holds at most 1,000, and always the newest", async () => {
  const cache = createKeyCache(30);
  const send = (text: string) =>
    authenticate(text, { readApiKey: async () => key, cache }, { permission: "any reader" });
  for (const text of times(1_000, (index) => `key-${index}`)) await send(text);
  await send("key-7");
  expect(cache.entries.size).toBe(1_000);

  await send("one more");

  expect([...cache.entries.keys()]).toEqual([hashKey("one more")]);
});
