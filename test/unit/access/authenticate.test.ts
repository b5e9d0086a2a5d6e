import { describe, expect, it } from "vitest";
import type { ApiKey } from "../../../lib/access/authenticate.ts";
import { authenticate, createKeyCache, hashKey } from "../../../lib/access/authenticate.ts";
import { AuthenticationRequired } from "../../../lib/contract/errors.ts";

const noon = Date.parse("2026-11-21T12:00:00Z");
const key: ApiKey = { name: "pipeline", permissions: [{ permission: "ADMIN" }], disabled: false };
const caller = { name: "pipeline", permits: [{ permission: "ADMIN" }] };
const refused = new AuthenticationRequired("A valid API key is required in the Authorization header", {
  headers: { "www-authenticate": 'Bearer realm="burgee"' },
});

/** A store of some keys and a clock that stands at noon until it is moved; the look-ups are counted. */
function house(keys: Record<string, ApiKey>, seconds?: number) {
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

describe("a key that is known", () => {
  it("is its name and its permissions", async () => {
    const { authenticate } = house({ k3y: key });

    expect(await authenticate("k3y")).toEqual(caller);
  });

  it("is asked for by its hash: the store never sees it", async () => {
    const { authenticate, lookups } = house({ k3y: key });

    await authenticate("k3y");

    expect(lookups).toEqual([hashKey("k3y")]);
  });

  it("is valid until the moment that it expires", async () => {
    const { authenticate, pass } = house({ k3y: { ...key, expiresAt: "2026-11-21T12:00:10Z" } }, 0);

    pass(9.999);
    expect(await authenticate("k3y")).toEqual(caller);
    pass(0.001);
    await expect(authenticate("k3y")).rejects.toEqual(refused);
  });

  it("expires at a moment, whatever the time zone that it is written in", async () => {
    const { authenticate } = house({ k3y: { ...key, expiresAt: "2026-11-21T14:00:01+02:00" } });

    expect(await authenticate("k3y")).toEqual(caller);
  });
});

describe("a key that is not valid", () => {
  it.each<[string, ApiKey | undefined]>([
    ["unknown", undefined],
    ["disabled", { ...key, disabled: true }],
    ["expired", { ...key, expiresAt: "2026-11-21T11:59:59Z" }],
    ["disabled and expired", { ...key, disabled: true, expiresAt: "2026-11-21T11:59:59Z" }],
    ["of an expiry that nobody can read", { ...key, expiresAt: "soon" }],
  ])("is refused with one and the same error, after one look-up: %s", async (_, stored) => {
    const { authenticate, lookups } = house(stored ? { k3y: stored } : {});

    await expect(authenticate("k3y")).rejects.toEqual(refused);

    expect(lookups).toHaveLength(1);
  });

  it("is looked up each time, so that it works as soon as it is valid", async () => {
    const { authenticate, lookups, change } = house({ k3y: { ...key, disabled: true } });
    await expect(authenticate("k3y")).rejects.toEqual(refused);

    change("k3y", key);

    expect(await authenticate("k3y")).toEqual(caller);
    expect(lookups).toHaveLength(2);
  });

  it("is no other key: letter case counts", async () => {
    const { authenticate } = house({ k3y: key });

    await expect(authenticate("K3Y")).rejects.toEqual(refused);
  });
});

describe("a key that was valid a moment ago", () => {
  it("is not looked up again", async () => {
    const { authenticate, lookups, pass } = house({ k3y: key, other: { ...key, name: "other" } });

    await authenticate("k3y");
    await authenticate("other");
    pass(29.999);

    expect(await authenticate("k3y")).toEqual(caller);
    expect(lookups).toHaveLength(2);
  });

  it("is looked up after the seconds for which it is kept", async () => {
    const { authenticate, lookups, pass, change } = house({ k3y: key });
    await authenticate("k3y");

    change("k3y");
    pass(30);

    await expect(authenticate("k3y")).rejects.toEqual(refused);
    expect(lookups).toHaveLength(2);
  });

  it("is accepted for those seconds though it was revoked meanwhile, and no longer", async () => {
    const { authenticate, pass, change } = house({ k3y: key }, 5);
    await authenticate("k3y");
    change("k3y", { ...key, disabled: true });

    pass(4.999);
    expect(await authenticate("k3y")).toEqual(caller);
    pass(0.001);
    await expect(authenticate("k3y")).rejects.toEqual(refused);
  });

  it("is refused when it has expired since, though it is kept", async () => {
    const { authenticate, pass } = house({ k3y: { ...key, expiresAt: "2026-11-21T12:00:10Z" } });
    await authenticate("k3y");

    pass(10);

    await expect(authenticate("k3y")).rejects.toEqual(refused);
  });

  it("is looked up each time where keys are kept for 0 seconds", async () => {
    const { authenticate, lookups } = house({ k3y: key }, 0);

    await authenticate("k3y");
    await authenticate("k3y");

    expect(lookups).toHaveLength(2);
  });
});
