/** `key create | list | revoke | rotate`, and what the handlers make of the keys. */
import { describe, expect, it } from "vitest";
import { refused, useCommandLine } from "./command-line.ts";

const line = await useCommandLine({
  projects: [{ id: "default", environments: ["development", "production"] }],
  features: [{ name: "checkout", project: "default" }],
  apiKeys: [
    { name: "off", key: "a-key-that-is-disabled", disabled: true },
    { name: "past", key: "a-key-that-has-expired", expiresAt: "2020-01-01T00:00:00Z" },
    {
      name: "old (until 2020-01-01T00:00:00.000Z)",
      key: "a-key-of-long-ago-1",
      expiresAt: "2020-01-01T00:00:00Z",
    },
  ],
});

const keyPattern = /^burgee_[\w-]{43}\n$/;

async function statusOf(key: string): Promise<number> {
  return (await line.burgee.putTags("checkout", { addedTags: [], removedTags: [] }, { key: key.trim() }))
    .status;
}

const create = (name: string, ...given: string[]) =>
  line.run("key", "create", name, "--permission", ...given);
const names = async () => (await line.json("key", "list")).map(({ name }: { name: string }) => name);

describe("key create", () => {
  it("shows a key that is valid, alone on the standard output, and stores its hash alone", async () => {
    const { code, out, err } = await create("ci", "UPDATE_FEATURE:default");

    expect({ code, out, err }).toEqual({
      code: 0,
      out: expect.stringMatching(keyPattern),
      err: 'This is the key "ci". It is shown this once: only its hash is stored.\n',
    });
    expect(await statusOf(out)).toBe(201);
    expect(await line.exported()).not.toContain(out.trim());
  });

  it("takes several permissions, each for a project or an environment, and a time of expiry", async () => {
    const permissions = ["UPDATE_FEATURE_VARIANTS", "UPDATE_FEATURE_ENVIRONMENT_VARIANTS::production"];

    const created = await line.json(
      ...["key", "create", "later", "--permission", ...permissions],
      ...[
        "--permission",
        "UPDATE_FEATURE_ENVIRONMENT_VARIANTS:default:development",
        "--expires",
        "2031-01-01",
      ],
    );

    expect(created).toEqual({
      name: "later",
      key: expect.stringMatching(/^burgee_/),
      permissions: [
        { permission: "UPDATE_FEATURE_VARIANTS" },
        { permission: "UPDATE_FEATURE_ENVIRONMENT_VARIANTS", environment: "production" },
        { permission: "UPDATE_FEATURE_ENVIRONMENT_VARIANTS", project: "default", environment: "development" },
      ],
      expiresAt: "2031-01-01T00:00:00Z",
      disabled: false,
    });
    expect((await line.burgee.patch("checkout", [], { key: created.key })).status).toBe(200);
    expect(await statusOf(created.key)).toBe(403);
  });

  it.concurrent.each<[string, string, string[]]>([
    ['there is a key "admin" already: rotate it, or choose another name', "admin", ["ADMIN"]],
    [
      '"UPDATE_FEATURES" is no permission (did you mean "UPDATE_FEATURE"?): there are ',
      "n",
      ["UPDATE_FEATURES"],
    ],
    ['there is no project "defualt" (did you mean "default"?)', "n", ["ADMIN:defualt"]],
    ['there is no environment "prod" in project "default"', "n", ["ADMIN:default:prod"]],
    [
      'there is no environment "developmnt" in any project (did you mean "development"?)',
      "n",
      ["ADMIN::developmnt"],
    ],
    ['"ADMIN:default:production:x" has too many colons', "n", ["ADMIN:default:production:x"]],
    ["UPDATE_FEATURE is given for a project", "n", ["UPDATE_FEATURE:default:production"]],
    ["2020-01-01 is past: the key would never be valid", "n", ["ADMIN", "--expires", "2020-01-01"]],
    ['"soon" is no time: write it like 2030-01-01 or ', "n", ["ADMIN", "--expires", "soon"]],
    ["the key's name must not be empty", "", ["ADMIN"]],
    ["the key's permissions must have at most 100 permissions", "n", Array(101).fill("ADMIN")],
  ])("refuses: %s", async (message, name, given) => {
    const { code, out, err } = await create(name, ...given);

    expect({ code, out }).toEqual({ code: 1, out: "" });
    expect(err).toMatch(/^burgee: [^\n]*\n$/);
    expect(err).toContain(message);
  });
});

describe("key list", () => {
  it("tells which keys are valid, and never what they are", async () => {
    const { out } = await line.run("key", "list");

    expect(out).toMatch(/^KEY +STATE +PERMISSIONS +CREATED +EXPIRES\nadmin +active +ADMIN +2\S+ +never\n/);
    expect(out).toMatch(/\noff +disabled +none /);
    expect(out).toMatch(/\npast +expired +none +2\S+ +2020-01-01T00:00:00Z\n/);
  });
});

describe("key rotate", () => {
  it("makes a new key with the same permissions, and keeps the old one for the time of grace", async () => {
    const { out: old } = await create("rotated", "UPDATE_FEATURE:default");
    const before = Date.now();

    const { code, out, err } = await line.run("key", "rotate", "rotated", "--grace", "2h");

    expect({ code, out }).toEqual({ code: 0, out: expect.stringMatching(keyPattern) });
    const end = /The old one is "rotated \(until (.*)\)" now\.\n$/.exec(err)?.[1] ?? "";
    const graceMs = Date.parse(end) - before;
    expect(graceMs).toBeGreaterThanOrEqual(7_200_000);
    expect(graceMs).toBeLessThan(7_230_000);
    expect([await statusOf(old), await statusOf(out)]).toEqual([201, 201]);
    const keys = await line.json("key", "list");
    const found = keys.filter(({ name }: { name: string }) => name.startsWith("rotated"));
    const permissions = [{ permission: "UPDATE_FEATURE", project: "default" }];
    expect(found).toEqual([
      { name: "rotated", state: "active", permissions, createdAt: expect.any(String) },
      {
        name: `rotated (until ${end})`,
        state: "active",
        permissions,
        createdAt: expect.any(String),
        expiresAt: end,
      },
    ]);
  });

  it("with no grace ends the old one at once, and removes those whose time is over", async () => {
    const { out: old } = await create("old", "UPDATE_FEATURE");

    const { key } = await line.json("key", "rotate", "old", "--grace", "0s");

    expect([await statusOf(old), await statusOf(key)]).toEqual([401, 201]);
    expect(await names()).not.toContain("old (until 2020-01-01T00:00:00.000Z)");
  });

  it("leaves the old key as it was where the new one could not be stored", async () => {
    const { out: old } = await create("kept", "UPDATE_FEATURE");
    line.burgee.wire.decide(({ operation }) =>
      operation === "UpdateItem" ? { error: "AccessDeniedException", message: "not you" } : "pass",
    );

    const failed = await line.run("key", "rotate", "kept");

    line.burgee.wire.reset();
    expect(failed).toEqual(refused("AWS does not permit it: not you"));
    expect(await statusOf(old)).toBe(201);
    expect((await names()).filter((name: string) => name.startsWith("kept"))).toEqual(["kept"]);
  });

  it.concurrent.each([
    [["amdin"], 'there is no key "amdin" (did you mean "admin"?)'],
    [["admin", "--grace", "soon"], '"soon" is no duration: write it like 90s, 30m, 24h, 7d or 2w'],
    [["off"], 'the key "off" is disabled: enable it, or create another'],
    [["past"], 'the key "past" has expired: give --expires for the new one'],
  ])("refuses %j", async (given, message) => {
    expect(await line.run("key", "rotate", ...given)).toEqual(refused(message));
  });
});

describe("key revoke", () => {
  it("removes a key for good, once it was confirmed", async () => {
    const { out: key } = await create("leaked", "UPDATE_FEATURE");

    const unconfirmed = await line.run("key", "revoke", "leaked");
    const revoked = await line.run("key", "revoke", "leaked", "--yes");

    expect(unconfirmed).toEqual(
      refused("this cannot be undone, and there is no terminal to ask at: give --yes"),
    );
    expect(revoked).toEqual({ code: 0, out: 'The key "leaked" is revoked.\n', err: "" });
    expect(await statusOf(key)).toBe(401);
    expect(await line.run("key", "revoke", "leaked", "--yes")).toEqual(refused('there is no key "leaked"'));
  });
});
