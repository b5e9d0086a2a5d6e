/** `key create` and `key list`, and what the handlers make of the keys. */
import { describe, expect, it } from "vitest";
import { times } from "../../support/patching.ts";
import { refused, useCommandLine } from "./command-line.ts";

const line = await useCommandLine({
  projects: [{ id: "default", environments: ["development", "production"] }],
  features: [{ name: "checkout", project: "default" }],
  apiKeys: [
    { name: "off", key: "a-key-that-is-disabled", disabled: true },
    { name: "past", key: "a-key-that-has-expired", expiresAt: "2020-01-01T00:00:00Z" },
  ],
});

const keyPattern = /^burgee_[\w-]{43}\n$/;

const statusOf = (key: string) => line.statusOf("checkout", key);

const create = (name: string, ...given: string[]) =>
  line.run("key", "create", name, "--permission", ...given);
const keysNamed = async (wanted: string) =>
  (await line.json("key", "list")).filter(({ name }: { name: string }) => name === wanted);

describe("key create", () => {
  it("shows a key that is valid, alone on the standard output, and stores its hash alone", async () => {
    const { code, out, err } = await create("script", "UPDATE_FEATURE:default");

    expect({ code, out, err }).toEqual({
      code: 0,
      out: expect.stringMatching(keyPattern),
      err: 'This is the key "script". It is shown this once: only its hash is stored.\n',
    });
    expect(await statusOf(out)).toBe(201);
    expect(await line.exported()).not.toContain(out.trim());
  });

  it("takes several permissions before or after the name, each for a project or an environment, and a time of expiry", async () => {
    const created = await line.json(
      ...["key", "create"],
      ...["--permission", "UPDATE_FEATURE_VARIANTS,UPDATE_FEATURE_ENVIRONMENT_VARIANTS::production"],
      ...["--permission", "UPDATE_FEATURE_ENVIRONMENT_VARIANTS:default:development"],
      ...["later", "--expires", "2031-01-01"],
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
    [
      '"UPDATE_FEATURES" is not a permission (did you mean "UPDATE_FEATURE"?); the permissions are ',
      "n",
      ["UPDATE_FEATURES"],
    ],
    ['"ADMIN:default:production:x" has too many colons', "n", ["ADMIN:default:production:x"]],
    ["UPDATE_FEATURE applies to a project", "n", ["UPDATE_FEATURE:default:production"]],
    ["2020-01-01 is in the past; the key would never be valid", "n", ["ADMIN", "--expires", "2020-01-01"]],
    ['"soon" is not a time; write it like 2030-01-01 or ', "n", ["ADMIN", "--expires", "soon"]],
    ["the key's name must not be empty", "", ["ADMIN"]],
    ["the key's permissions must have at most 100 permissions", "n", [Array(101).fill("ADMIN").join()]],
    ["too many arguments for 'create'. Expected 1 argument but got 2", "n", ["ADMIN", "ADMIN"]],
  ])("is used wrongly: %s", async (message, name, given) => {
    const { code, out, err } = await create(name, ...given);

    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toMatch(/^burgee: [^\n]*\n$/);
    expect(err).toContain(message);
  });

  it.concurrent.each<[string, string, string]>([
    ['there is a key "admin" already: rotate it, or choose another name', "admin", "ADMIN"],
    ['there is no project "defualt" (did you mean "default"?)', "n", "ADMIN:defualt"],
    ['there is no environment "prod" in project "default"', "n", "ADMIN:default:prod"],
    [
      'there is no environment "developmnt" in any project (did you mean "development"?)',
      "n",
      "ADMIN::developmnt",
    ],
  ])("refuses: %s", async (message, name, permission) => {
    expect(await create(name, permission)).toEqual(refused(message));
  });

  it("of one name at the same time succeeds once at most", async () => {
    const created = await Promise.all(times(4, () => create("twins", "ADMIN")));

    const codes = created.map(({ code }) => code).sort();
    expect(codes.slice(1)).toEqual([1, 1, 1]);
    expect((await keysNamed("twins")).length).toBe(codes[0] === 0 ? 1 : 0);
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
