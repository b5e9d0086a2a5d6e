/** The life of a key that is kept. Headers and keys as clients send them: test/http/access/authentication.test.ts */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type ApiKey,
  authenticate,
  createKeyCache,
  hashKey,
  presentedKey,
} from "../../../lib/access/authenticate.ts";
import { AuthenticationRequired } from "../../../lib/contract/errors.ts";
import { milliseconds } from "../../support/cost.ts";
import { times } from "../../support/patching.ts";
import { itProp } from "../../support/property.ts";

const noon = Date.parse("2026-11-21T12:00:00Z");
const key: ApiKey = { name: "pipeline", permissions: [{ permission: "ADMIN" }], disabled: false };
const disabled = { ...key, disabled: true };
const caller = { name: "pipeline", permits: [{ permission: "ADMIN" }] };
const refused = new AuthenticationRequired("A valid API key is required in the Authorization header", {
  headers: { "www-authenticate": 'Bearer realm="burgee"' },
});

/** A store of some keys and a clock that stands at noon until it is moved; the look-ups are counted. */
function setUp(keys: Record<string, ApiKey>, seconds?: number) {
  const byHash = new Map(Object.entries(keys).map(([text, apiKey]) => [hashKey(text), apiKey]));
  const lookups: string[] = [];
  let time = noon;
  const now = () => time;
  const readApiKey = async (hash: string) => {
    lookups.push(hash);
    return byHash.get(hash);
  };
  const cache = createKeyCache({ now, ...(seconds !== undefined && { seconds }) });
  const authenticated = (text: string) => authenticate(text, { readApiKey, cache, now });
  return {
    lookups,
    expectValid: async (text = "k3y") => expect(await authenticated(text)).toEqual(caller),
    expectRefused: () => expect(authenticated("k3y")).rejects.toEqual(refused),
    pass(seconds: number) {
      time += seconds * 1000;
    },
    change(to?: ApiKey) {
      if (to) byHash.set(hashKey("k3y"), to);
      else byHash.delete(hashKey("k3y"));
    },
  };
}

describe("the key in an Authorization header", () => {
  it.each([
    ["*:*.964a287e1b728cb5f4f3e0120df92cb5", "*:*.964a287e1b728cb5f4f3e0120df92cb5"],
    ["  k3y  ", "k3y"],
    ["BEARER \t k3y ", "k3y"],
    ["  Bearer k3y", "k3y"],
    ["Bearerk3y", "Bearerk3y"],
    ["Bearer Bearer k3y", "Bearer k3y"],
    ["Basic dXNlcjpwYXNz", "Basic dXNlcjpwYXNz"],
    ["K3Y", "K3Y"],
  ])("of %j is %j", (header, key) => {
    expect(presentedKey(header)).toBe(key);
  });

  it.each([undefined, "", " ", "\t", "Bearer ", "  bearer   "])("of %j is missing", (header) => {
    expect(() => presentedKey(header)).toThrow(refused);
  });

  it("is looked for in no time in a header of nothing but spaces", () => {
    const header = `${" ".repeat(200_000)}bearer${" ".repeat(200_000)}`;
    const look = () => expect(() => presentedKey(header)).toThrow(refused);

    expect(milliseconds(look, 1_000)).toBeLessThanOrEqual(1_000);
  });

  const anyKey = fc.string({ minLength: 1 }).filter((key) => key.trim() === key && !/^bearer\s/i.test(key));

  itProp([anyKey])("is the same with the scheme and without it, for any key", (key) => {
    expect([presentedKey(`Bearer ${key}`), presentedKey(key)]).toEqual([key, key]);
  });
});

describe("a valid key", () => {
  it("is its name and its permissions, and is looked up by its SHA-256 alone", async () => {
    const { expectValid, lookups } = setUp({ abc: key });

    await expectValid("abc");
    expect(lookups).toEqual(["ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"]);
  });

  it.each([
    ["2026-11-21T12:00:10Z", 0, 3],
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
    "stays valid while it is kept, however often it is used, after it was %s",
    async (_, to, kept, seconds) => {
      const { expectValid, expectRefused, lookups, pass, change } = setUp({ k3y: key }, kept);

      await expectValid();
      change(to);
      pass(seconds - 1);
      await expectValid();
      pass(0.999);
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

describe("a key that is not valid", () => {
  it.each<[string, Record<string, ApiKey>]>([
    ["disabled and expired", { k3y: { ...disabled, expiresAt: "2026-11-21T11:59:59Z" } }],
    ["of an expiry that is no time", { k3y: { ...key, expiresAt: "soon" } }],
    ["in another letter case", { K3Y: key }],
  ])("is refused with one and the same error, after one look-up: %s", async (_, stored) => {
    const { expectRefused, lookups } = setUp(stored);

    await expectRefused();
    expect(lookups).toHaveLength(1);
  });

  it("is looked up each time, so that it works as soon as it is valid", async () => {
    const { expectValid, expectRefused, lookups, change } = setUp({ k3y: disabled });

    await expectRefused();
    change(key);
    await expectValid();

    expect(lookups).toHaveLength(2);
  });
});

describe("the cache of keys", () => {
  it.each([
    [100, { capacity: 100 }],
    [1_000, {}],
  ])("holds %i keys at most with the options %j, and always the last", (most, options) => {
    const cache = createKeyCache(options);
    const hashes = times(most, (index) => `hash-${index}`);
    const held = () => hashes.filter((hash) => cache.get(hash)).length;

    for (const hash of hashes) {
      cache.set(hash, key);
      expect(cache.get(hash)).toBe(key);
    }
    expect(held()).toBe(most);
    cache.set("one more", key);

    expect(cache.get("one more")).toBe(key);
    expect(held()).toBeLessThan(most);
  });
});
