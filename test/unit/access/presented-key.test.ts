import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { hashKey, presentedKey } from "../../../lib/access/authenticate.ts";
import { AuthenticationRequired } from "../../../lib/contract/errors.ts";

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
    expect(() => presentedKey(header)).toThrow(
      new AuthenticationRequired("A valid API key is required in the Authorization header", {
        headers: { "www-authenticate": 'Bearer realm="burgee"' },
      }),
    );
  });

  it("is found in no time in a header of nothing but spaces", () => {
    const startedAt = performance.now();

    expect(() => presentedKey(`${" ".repeat(200_000)}bearer${" ".repeat(200_000)}`)).toThrow(
      AuthenticationRequired,
    );

    expect(performance.now() - startedAt).toBeLessThan(1_000);
  });

  it("is the same with the scheme and without it, for any key", () => {
    const anyKey = fc.string({ minLength: 1 }).filter((key) => key.trim() === key && !/^bearer\s/i.test(key));
    fc.assert(
      fc.property(anyKey, (key) => {
        expect(presentedKey(`Bearer ${key}`)).toBe(key);
        expect(presentedKey(key)).toBe(key);
      }),
    );
  });
});

describe("the hash of a key", () => {
  it("is its SHA-256 in lower-case hexadecimal digits, by which a store knows it", () => {
    expect(hashKey("abc")).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  });
});
