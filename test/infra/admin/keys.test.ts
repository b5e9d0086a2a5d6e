/** `key create`, `list`, `rotate` and `revoke`, and what the handlers make of the keys. */
import { expect, it } from "vitest";
import { add } from "../../support/patching.ts";
import type { Run } from "../../support/program.ts";
import { done, isPut, misused, refused, unconfirmed, useCommandLine } from "./command-line.ts";

const past = "2020-01-01T00:00:00Z";

const line = await useCommandLine({
  projects: [{ id: "default", environments: ["development", "production"] }],
  features: [{ name: "checkout", project: "default" }],
  apiKeys: [
    { name: "off", key: "a-key-that-is-disabled", disabled: true },
    { name: "past", key: "a-key-that-has-expired", expiresAt: past },
    { name: "leaving", key: "a-key-that-is-leaving", retiredAt: past, expiresAt: "2100-01-01T00:00:00Z" },
  ],
});

const aKey = expect.stringMatching(/^burgee_[\w-]{43}\n$/);
const statusOf = (key: string) => line.statusOf("checkout", key);
const create = (name: string, ...given: string[]) =>
  line.run("key", "create", name, "--permission", ...given);

/** The listed keys whose names begin like this. */
const keysNamed = async (start: string): Promise<{ name: string; state: string }[]> =>
  (await line.json("key list")).filter(({ name }: { name: string }) => name.startsWith(start));

it("key create shows a key that is valid, alone on the standard output, and stores its hash alone", async () => {
  const created = await create("script", "UPDATE_FEATURE:default");

  const err = 'This is the key "script". It cannot be shown again: only its hash is stored.\n';
  expect(created).toEqual({ code: 0, out: aKey, err });
  expect(await statusOf(created.out)).toBe(201);
  expect(await line.exported()).not.toContain(created.out.trim());
});

it("key create takes several permissions before or after the name, each for a project or an environment, and a time of expiry", async () => {
  const created = await line.json(
    "key create --permission UPDATE_FEATURE_VARIANTS,UPDATE_FEATURE_ENVIRONMENT_VARIANTS:*:production " +
      "--permission UPDATE_FEATURE_ENVIRONMENT_VARIANTS:default:development later --expires 2031-01-01",
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

const notPermission =
  '"UPDATE_FEATURES" is not a permission (did you mean "UPDATE_FEATURE"?); the permissions are ';
it.concurrent.each([
  [notPermission, "n", "UPDATE_FEATURES"],
  ['"ADMIN:default:production:x" has too many colons', "n", "ADMIN:default:production:x"],
  ["UPDATE_FEATURE applies to a project", "n", "UPDATE_FEATURE:default:production"],
  ['"UPDATE_FEATURE:" names no project: name it, or write * for every project', "n", "UPDATE_FEATURE:"],
  ['"ADMIN:default:" names no environment: name it, or write * for every environment', "n", "ADMIN:default:"],
  ['"ADMIN::production" names no project', "n", "ADMIN::production"],
  ["2020-01-01 is in the past; the key would never be valid", "n", "ADMIN", "--expires", "2020-01-01"],
  ['"soon" is not a time; write it like 2030-01-01 or ', "n", "ADMIN", "--expires", "soon"],
  ["the key's name must not be empty", "", "ADMIN"],
  ["the key's permissions must have at most 100 permissions", "n", Array(101).fill("ADMIN").join()],
  ["too many arguments for 'create'. Expected 1 argument but got 2", "n", "ADMIN", "ADMIN"],
])("key create is used wrongly: %s", async (message, name = "", ...given) => {
  const { code, out, err } = await create(name, ...given);

  expect({ code, out }).toEqual({ code: 2, out: "" });
  expect(err).toMatch(/^burgee: [^\n]*\n$/);
  expect(err).toContain(message);
});

it.concurrent.each([
  ['the key "admin" already exists: rotate it, or choose another name', "ADMIN", "admin"],
  ['there is no project "defualt" (did you mean "default"?)', "ADMIN:defualt"],
  ['there is no environment "prod" in project "default"', "ADMIN:default:prod"],
  ['there is no environment "developmnt" in any project (did you mean "development"?)', "ADMIN:*:developmnt"],
])("key create refuses: %s", async (message, permission, name = "n") => {
  expect(await create(name, permission)).toEqual(refused(message));
});

it("key list shows which keys are valid, and never the keys", async () => {
  const { out } = await line.run("key list");

  expect(out).toMatch(/^KEY +STATE +PERMISSIONS +CREATED +EXPIRES\nadmin +active +ADMIN +2\S+ +never\n/);
  expect(out).toMatch(/\noff +disabled +none /);
  expect(out).toMatch(/\npast +expired +none +2\S+ +2020-01-01T00:00:00Z\n/);
});

it("key rotate makes a new key with the same permissions, and keeps the old one for the time of grace", async () => {
  const { out: old } = await create("rotated", "UPDATE_FEATURE:default");
  const before = Date.now();

  const { code, out, err } = await line.run("key rotate rotated --grace 2h");

  expect({ code, out }).toEqual({ code: 0, out: aKey });
  const expiresAt = /\nThe old one is valid until (.*)\.\n$/.exec(err)?.[1] ?? "";
  const graceMs = Date.parse(expiresAt) - before;
  expect(graceMs).toBeGreaterThanOrEqual(7_200_000);
  expect(graceMs).toBeLessThan(7_230_000);
  expect([await statusOf(old), await statusOf(out)]).toEqual([201, 201]);
  const permissions = [{ permission: "UPDATE_FEATURE", project: "default" }];
  const [createdAt, retiredAt] = Array(2).fill(expect.any(String));
  expect(await keysNamed("rotated")).toEqual([
    { name: "rotated", state: "active", permissions, createdAt },
    { name: "rotated", state: "retiring", permissions, createdAt, expiresAt, retiredAt },
  ]);
  expect((await line.run("key list")).out).toMatch(
    new RegExp(`\nrotated +active .* never\nrotated +retiring .* ${expiresAt.replaceAll(".", "\\.")}\n`),
  );
});

it("key rotate does not prolong the old key: it ends at its own expiry if that comes before the time of grace", async () => {
  const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
  await create("brief", "UPDATE_FEATURE", "--expires", expiresAt);

  const { err } = await line.run("key rotate brief --grace 24h");

  expect(err).toContain(`\nThe old one is valid until ${expiresAt}.\n`);
  expect(await keysNamed("brief")).toMatchObject([{ expiresAt }, { state: "retiring", expiresAt }]);
});

it("key rotate keeps the name under which idempotency keys are remembered, for both keys", async () => {
  const { out: old } = await create("ci", "ADMIN");
  const headers = { "idempotency-key": "rotation" };
  const patch = [add("/-", { name: "once", weight: 1 })];
  const patchWith = async (key: string) =>
    (await line.burgee.patch("checkout", patch, { key: key.trim(), headers })).status;
  await patchWith(old);

  const { out: next } = await line.run("key rotate ci");

  expect([await patchWith(next), await patchWith(old)]).toEqual([200, 200]);
  expect(await line.burgee.names("checkout")).toHaveLength(1);
});

it("key rotate --grace 0s revokes every older key of the name", async () => {
  const { out: first } = await create("old", "UPDATE_FEATURE");
  const { out: second } = await line.run("key rotate old");
  expect((await keysNamed("old")).map(({ state }) => state)).toEqual(["active", "retiring"]);

  const { code, out: key, err } = await line.run("key rotate old --grace 0s");

  expect(code).toBe(0);
  expect(err).toMatch(/\nEvery older key named "old" is revoked\.\n$/);
  const keys = [first, second, key];
  expect(await Promise.all(keys.map(statusOf))).toEqual([401, 401, 201]);
  expect((await keysNamed("old")).map(({ name }) => name)).toEqual(["old"]);
});

it("key rotate revokes the new key again where the old one could not be changed", async () => {
  const { out: old } = await create("kept", "UPDATE_FEATURE");
  let puts = 0;
  const denied = { error: "AccessDeniedException", message: "not you" };
  line.burgee.wire.decide((call) => (isPut(call) && ++puts === 2 ? denied : "pass"));

  expect(await line.run("key rotate kept")).toEqual(refused("AWS denied the call: not you"));
  expect(await statusOf(old)).toBe(201);
  expect(await keysNamed("kept")).toMatchObject([{ state: "active" }]);
});

it("key rotate is refused where another command revokes the old key at the same time, and leaves no key", async () => {
  await create("raced", "UPDATE_FEATURE");
  const revokes: Run[] = [];
  line.burgee.wire.beforeFirst(isPut, async () => revokes.push(await line.run("key revoke raced --yes")));

  expect(await line.run("key rotate raced")).toEqual(
    refused("it was changed concurrently; run the command again"),
  );
  expect(revokes).toMatchObject([{ code: 0 }]);
  expect(await keysNamed("raced")).toEqual([]);
});

it.concurrent.each([
  ["amdin", refused('there is no key "amdin" (did you mean "admin"?)')],
  ["off", refused('the key "off" is disabled: enable it, or create another')],
  ["past", refused('the key "past" has expired: give --expires for the new one')],
  ["leaving", refused('the key "leaving" is retiring: create another with `key create`')],
  ["admin --grace soon", misused('"soon" is not a duration; write it like 90s, 30m, 24h, 7d or 2w')],
  ["admin --grace 10000w", misused('"10000w" is not a duration; write it like 90s, 30m, 24h, 7d or 2w')],
])("key rotate refuses %j", async (given, run) => {
  expect(await line.run(`key rotate ${given}`)).toEqual(run);
});

it("key revoke ends a key for good, once it was confirmed, and leaves its name free for another", async () => {
  const { out: key } = await create("leaked", "UPDATE_FEATURE");

  expect(await line.run("key revoke leaked")).toEqual(unconfirmed);
  expect(await line.run("key revoke leaked --yes")).toEqual(done('Revoked 1 key named "leaked".\n'));

  expect(await statusOf(key)).toBe(401);
  expect(await line.run("key revoke leaked --yes")).toEqual(refused('there is no key "leaked"'));
  const { code, out } = await create("leaked", "UPDATE_FEATURE");
  expect({ code, status: await statusOf(out) }).toEqual({ code: 0, status: 201 });
});

it("key revoke ends every key of the name, those in grace too, and says how many", async () => {
  const { out: first } = await create("many", "UPDATE_FEATURE");
  const { out: second } = await line.run("key rotate many");
  const { out: third } = await line.run("key rotate many --grace 1h");

  expect(await line.json("key revoke many --yes")).toEqual({ revoked: "many", count: 3 });
  const keys = [first, second, third];
  expect(await Promise.all(keys.map(statusOf))).toEqual([401, 401, 401]);
  expect(await keysNamed("many")).toEqual([]);
});
