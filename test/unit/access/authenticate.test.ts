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

const noon = Date.parse("2026-11-21T12:00:00Z");
const key: ApiKey = { name: "pipeline", permissions: [{ permission: "ADMIN" }], disabled: false };
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
  const store = {
    async readApiKey(hash: string) {
      lookups.push(hash);
      return byHash.get(hash);
    },
  };
  const cache = createKeyCache({ now, ...(seconds !== undefined && { seconds }) });
  return {
    lookups,
    authenticate: (text: string) => authenticate(text, { store, cache, now }),
    pass(seconds: number) {
      time += seconds * 1000;
    },
    change(text: string, to?: ApiKey) {
      if (to) byHash.set(hashKey(text), to);
      else byHash.delete(hashKey(text));
    },
  };
}

describe("the key in an Authorization header", () => {
  it.each([
    ["k3y", "k3y"],
    ["*:*.964a287e1b728cb5f4f3e0120df92cb5", "*:*.964a287e1b728cb5f4f3e0120df92cb5"],
    ["  k3y  ", "k3y"],
    ["Bearer k3y", "k3y"],
    ["bearer k3y", "k3y"],
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

  it("is the same with the scheme and without it, for any key", () => {
    const anyKey = fc.string({ minLength: 1 }).filter((key) => key.trim() === key && !/^bearer\s/i.test(key));
    fc.assert(
      fc.property(anyKey, (key) => {
        expect([presentedKey(`Bearer ${key}`), presentedKey(key)]).toEqual([key, key]);
      }),
    );
  });
});

describe("a valid key", () => {
  it("is its name and its permissions, and is looked up by its SHA-256 alone", async () => {
    const { authenticate, lookups } = setUp({ abc: key });

    expect(await authenticate("abc")).toEqual(caller);
    expect(lookups).toEqual(["ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"]);
  });

  it("is valid until the moment that it expires", async () => {
    const { authenticate, pass } = setUp({ k3y: { ...key, expiresAt: "2026-11-21T12:00:10Z" } }, 0);

    pass(9.999);
    expect(await authenticate("k3y")).toEqual(caller);
    pass(0.001);
    await expect(authenticate("k3y")).rejects.toEqual(refused);
  });

  it("expires at a moment, whatever the time zone that it is written in", async () => {
    const { authenticate } = setUp({ k3y: { ...key, expiresAt: "2026-11-21T14:00:01+02:00" } });

    expect(await authenticate("k3y")).toEqual(caller);
  });
});

describe("a key that is not valid", () => {
  it.each<[string, ApiKey | undefined]>([
    ["unknown", undefined],
    ["disabled", { ...key, disabled: true }],
    ["expired", { ...key, expiresAt: "2026-11-21T11:59:59Z" }],
    ["disabled and expired", { ...key, disabled: true, expiresAt: "2026-11-21T11:59:59Z" }],
    ["of an expiry that is no time", { ...key, expiresAt: "soon" }],
  ])("is refused with one and the same error, after one look-up: %s", async (_, stored) => {
    const { authenticate, lookups } = setUp(stored ? { k3y: stored } : {});

    await expect(authenticate("k3y")).rejects.toEqual(refused);

    expect(lookups).toHaveLength(1);
  });

  it("is looked up each time, so that it works as soon as it is valid", async () => {
    const { authenticate, lookups, change } = setUp({ k3y: { ...key, disabled: true } });
    await expect(authenticate("k3y")).rejects.toEqual(refused);

    change("k3y", key);

    expect(await authenticate("k3y")).toEqual(caller);
    expect(lookups).toHaveLength(2);
  });

  it("differs from a valid one by letter case", async () => {
    const { authenticate } = setUp({ k3y: key });

    await expect(authenticate("K3Y")).rejects.toEqual(refused);
  });
});

describe("a key that was valid a moment ago", () => {
  it("is not looked up again", async () => {
    const { authenticate, lookups, pass } = setUp({ k3y: key, other: { ...key, name: "other" } });

    await authenticate("k3y");
    await authenticate("other");
    pass(29.999);

    expect(await authenticate("k3y")).toEqual(caller);
    expect(lookups).toHaveLength(2);
  });

  it("is looked up after the seconds for which it is kept, which asking does not prolong", async () => {
    const { authenticate, lookups, pass, change } = setUp({ k3y: key });
    await authenticate("k3y");

    change("k3y");
    pass(29);
    await authenticate("k3y");
    pass(1);

    await expect(authenticate("k3y")).rejects.toEqual(refused);
    expect(lookups).toHaveLength(2);
  });

  it("is accepted for those seconds though it was revoked meanwhile, and no longer", async () => {
    const { authenticate, pass, change } = setUp({ k3y: key }, 5);
    await authenticate("k3y");
    change("k3y", { ...key, disabled: true });

    pass(4.999);
    expect(await authenticate("k3y")).toEqual(caller);
    pass(0.001);
    await expect(authenticate("k3y")).rejects.toEqual(refused);
  });

  it("is refused when it has expired since, though it is kept", async () => {
    const { authenticate, pass } = setUp({ k3y: { ...key, expiresAt: "2026-11-21T12:00:10Z" } });
    await authenticate("k3y");

    pass(10);

    await expect(authenticate("k3y")).rejects.toEqual(refused);
  });

  it("is looked up each time where keys are kept for 0 seconds", async () => {
    const { authenticate, lookups } = setUp({ k3y: key }, 0);

    await authenticate("k3y");
    await authenticate("k3y");

    expect(lookups).toHaveLength(2);
  });
});

describe("the cache of keys", () => {
  it("returns what was put in, by its hash", () => {
    const cache = createKeyCache();

    cache.set("a", key);

    expect(["a", "b", "toString"].map((hash) => cache.get(hash))).toEqual([key, undefined, undefined]);
    expect(cache.get("a")).toBe(key);
  });

  it("counts a key's seconds from when it was put in last", () => {
    let time = 0;
    const cache = createKeyCache({ seconds: 10, now: () => time });
    cache.set("a", key);
    time = 5_000;
    cache.set("a", { ...key, name: "renamed" });

    time = 14_999;
    expect(cache.get("a")?.name).toBe("renamed");
    time = 15_000;
    expect(cache.get("a")).toBeUndefined();
  });

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
