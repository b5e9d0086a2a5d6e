import { describe, expect, it } from "vitest";
import type { ApiKey } from "../../../lib/access/authenticate.ts";
import { createKeyCache } from "../../../lib/access/authenticate.ts";
import { times } from "../../support/patching.ts";

const key: ApiKey = { name: "pipeline", permissions: [], disabled: false };

describe("the cache of keys", () => {
  it("gives back what was put in, by its hash", () => {
    const cache = createKeyCache();

    cache.set("a", key);

    expect(cache.get("a")).toBe(key);
    expect(cache.get("b")).toBeUndefined();
    expect(cache.get("toString")).toBeUndefined();
  });

  it("forgets a key after its seconds, counted from when it was put in last", () => {
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

  it("is not kept longer by being asked for", () => {
    let time = 0;
    const cache = createKeyCache({ seconds: 10, now: () => time });
    cache.set("a", key);

    time = 9_000;
    cache.get("a");
    time = 10_000;

    expect(cache.get("a")).toBeUndefined();
  });

  it("keeps nothing for 0 seconds", () => {
    const cache = createKeyCache({ seconds: 0, now: () => 0 });

    cache.set("a", key);

    expect(cache.get("a")).toBeUndefined();
  });

  it("holds no more keys than it may, and always the last", () => {
    const cache = createKeyCache({ capacity: 100 });
    const hashes = times(1_050, (index) => `hash-${index}`);

    for (const hash of hashes) {
      cache.set(hash, key);
      expect(cache.get(hash)).toBe(key);
    }

    expect(hashes.filter((hash) => cache.get(hash)).length).toBeLessThanOrEqual(100);
  });

  it("holds a thousand where it is not told how many", () => {
    const cache = createKeyCache();
    const hashes = times(1_000, (index) => `hash-${index}`);

    for (const hash of hashes) cache.set(hash, key);
    const held = hashes.filter((hash) => cache.get(hash)).length;
    cache.set("one more", key);

    expect(held).toBe(1_000);
    expect(hashes.filter((hash) => cache.get(hash)).length).toBeLessThan(1_000);
  });
});
