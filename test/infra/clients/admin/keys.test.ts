/** `key create`, `list`, `rotate` and `revoke`, and what the handlers make of the keys. */
import { setTimeout } from "node:timers/promises";
import { expect, it } from "vitest";
import { keyList } from "../../../../lib/store/items/lists.ts";
import type { Run } from "../../../support/program.ts";
import type { Call, Fate } from "../../../support/wire.ts";
import { done, fileOf, isPut, misused, refused, unconfirmed, useCommandLine } from "./command-line.ts";

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

const keysNamed = async (wanted: string): Promise<{ name: string; state: string }[]> =>
  (await line.json("key list")).filter(({ name }: { name: string }) => name === wanted);
const statesOf = async (name: string) => (await keysNamed(name)).map(({ state }) => state);

it("create shows a key that is valid, alone on the standard output, and stores its hash alone", async () => {
  const created = await create("script", "UPDATE_FEATURE:default");

  const err = 'This is the key "script". It cannot be shown again: only its hash is stored.\n';
  expect(created).toEqual({ code: 0, out: aKey, err });
  expect(await statusOf(created.out)).toBe(201);
  expect(await line.exported()).not.toContain(created.out.trim());
});

it("create takes several permissions before or after the name, each for a project or an environment, and a time of expiry", async () => {
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
  expect((await line.burgee.patchVariants("checkout", [], { key: created.key })).status).toBe(200);
  expect(await statusOf(created.key)).toBe(403);
});

const permissions =
  "ADMIN, READ, CLIENT, CREATE_FEATURE, DELETE_FEATURE, UPDATE_FEATURE, UPDATE_FEATURE_VARIANTS, UPDATE_FEATURE_ENVIRONMENT_VARIANTS, UPDATE_FEATURE_ENVIRONMENT, UPDATE_FEATURE_STRATEGY, TRIP_GUARD";
const shape = "write PERM, PERM:project or PERM:project:environment";
const toName = (what: string) => `name it, or write * for every ${what}`;

it.each([
  [
    `"UPDATE_FEATURES" is not a permission (did you mean "UPDATE_FEATURE"?); the permissions are ${permissions}`,
    "UPDATE_FEATURES",
  ],
  [`"ADMIN:default:production:x" has too many colons; ${shape}`, "ADMIN:default:production:x"],
  [
    "the key's permissions/0/environment must be left out: READ applies to a project as a whole",
    "READ:default:production",
  ],
  [`"UPDATE_FEATURE:" names no project: ${toName("project")}`, "UPDATE_FEATURE:"],
  [`"ADMIN:default:" names no environment: ${toName("environment")}`, "ADMIN:default:"],
  [`"ADMIN::production" names no project: ${toName("project")}`, "ADMIN::production"],
  ["2020-01-01 is in the past; the key would never be valid", "ADMIN --expires 2020-01-01"],
  ['"soon" is not a time; write it like 2030-01-01 or 2030-01-01T12:00:00Z', "ADMIN --expires soon"],
  ["the key's name must not be empty", "ADMIN", ""],
  ["the key's permissions must have at most 100 permissions", Array(101).fill("ADMIN").join()],
  ["too many arguments for 'create'. Expected 1 argument but got 2.", "ADMIN ADMIN"],
])("create is used wrongly: %s", async (message, given, name = "n") => {
  expect(await create(name, ...given.split(" "))).toEqual(misused(message));
});

it.each([
  ['the key "admin" already exists: rotate it, or choose another name', "ADMIN", "admin"],
  ['there is no project "defualt" (did you mean "default"?)', "ADMIN:defualt"],
  [
    'there is no environment "prod" in project "default"; known environments: development and production',
    "ADMIN:default:prod",
  ],
  ['there is no environment "developmnt" in any project (did you mean "development"?)', "ADMIN:*:developmnt"],
])("create refuses: %s", async (message, permission, name = "n") => {
  expect(await create(name, permission)).toEqual(refused(message));
});

it("list shows which keys are valid, and never the keys", async () => {
  const { out } = await line.run("key list");

  expect(out).toMatch(/^KEY +STATE +PERMISSIONS +CREATED +EXPIRES\nadmin +active +ADMIN +2\S+ +never\n/);
  expect(out).toMatch(/\noff +disabled +none /);
  expect(out).toMatch(/\npast +expired +none +2\S+ +2020-01-01T00:00:00Z\n/);
});

it("rotate makes a new key with the same permissions, and keeps the old one for the time of grace", async () => {
  const { out: old } = await create("ci", "UPDATE_FEATURE:default");
  const before = Date.now();

  const { code, out, err } = await line.run("key rotate ci --grace 2h");

  expect({ code, out }).toEqual({ code: 0, out: aKey });
  const expiresAt = /\nThe old one is valid until (.*)\.\n$/.exec(err)?.[1] ?? "";
  const graceMs = Date.parse(expiresAt) - before;
  expect(graceMs).toBeGreaterThanOrEqual(7_200_000);
  expect(graceMs).toBeLessThan(7_230_000);
  expect([await statusOf(old), await statusOf(out)]).toEqual([201, 201]);
  const permissions = [{ permission: "UPDATE_FEATURE", project: "default" }];
  const [createdAt, retiredAt] = Array(2).fill(expect.any(String));
  expect(await keysNamed("ci")).toEqual([
    { name: "ci", state: "active", permissions, createdAt },
    { name: "ci", state: "retiring", permissions, createdAt, expiresAt, retiredAt },
  ]);
});

it("rotate does not prolong the old key: it ends at its own expiry if that comes before the time of grace", async () => {
  const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
  await create("ci", "UPDATE_FEATURE", "--expires", expiresAt);

  const { err } = await line.run("key rotate ci --grace 24h");

  expect(err).toContain(`\nThe old one is valid until ${expiresAt}.\n`);
  expect(await keysNamed("ci")).toMatchObject([{ expiresAt }, { state: "retiring", expiresAt }]);
});

it("rotate --grace 0s revokes every older key of the name, once it was confirmed", async () => {
  const { out: first } = await create("old", "UPDATE_FEATURE");
  const { out: second } = await line.run("key rotate old");
  expect(await statesOf("old")).toEqual(["active", "retiring"]);

  expect(await line.run("key rotate old --grace 0s")).toEqual(unconfirmed);
  expect(await statesOf("old")).toEqual(["active", "retiring"]);
  const { out: key, err } = await line.run("key rotate old --grace 0s --yes");

  expect(err).toMatch(/\nEvery older key named "old" is revoked\.\n$/);
  expect(await Promise.all([first, second, key].map(statusOf))).toEqual([401, 401, 201]);
  expect(await statesOf("old")).toEqual(["active"]);
});

/** Not for ever: a call that the SDK has sent again counts twice, and each would wait for the other. */
async function until(isReached: () => boolean): Promise<void> {
  const end = performance.now() + 1500;
  while (!isReached() && performance.now() < end) await setTimeout(1);
}

/** Two runs of a command, of which each has read the table before the other writes. */
async function runAtOnce(...given: string[]): Promise<Run[]> {
  const { wire } = line.burgee;
  wire.reset();
  // Each run reads the keys once before it writes. A read that was only sent could still be overtaken by a write.
  const haveRead = () =>
    wire.calls.filter(({ operation, response }) => operation === "BatchGetItem" && response).length >= 2;
  wire.decide(async (call): Promise<Fate> => {
    if (isPut(call)) await until(haveRead);
    return "pass";
  });
  const runs = await Promise.all([line.run(...given), line.run(...given)]);
  wire.reset();
  return runs.toSorted((one, two) => Number(one.code) - Number(two.code));
}

it("two rotations with --grace 0s at once leave one key, and the other makes none", async () => {
  const { out: old } = await create("shared", "UPDATE_FEATURE");

  const [first, second] = await runAtOnce("key rotate shared --grace 0s --yes");

  expect(first).toMatchObject({ code: 0, out: aKey });
  expect(second).toEqual(refused("another change was made at the same time; run the command again"));
  expect([await statusOf(first?.out ?? ""), await statusOf(old)]).toEqual([201, 401]);
  expect(await statesOf("shared")).toEqual(["active"]);
});

it("two creations of one name at once leave one key, also where each finds the other's", async () => {
  let [reads, keys] = [0, 0];
  const isListOfKeys = ({ operation, input }: Call) =>
    operation === "Query" && JSON.stringify(input).includes(`"${keyList}"`);
  line.burgee.wire.decide(async (call): Promise<Fate> => {
    if (isListOfKeys(call) && ++reads > 2) await until(() => keys >= 2);
    if (isPut(call)) {
      await until(() => reads >= 2);
      // It reaches the engine before the reads that wait for it.
      setTimeout(20).then(() => keys++);
    }
    return "pass";
  });

  const runs = await Promise.all([1, 2].map(() => line.run("key create twin --permission ADMIN")));

  const [first, second] = runs.toSorted((one, two) => Number(one.code) - Number(two.code));
  expect(first).toMatchObject({ code: 0, out: aKey });
  expect(second).toEqual(refused('the key "twin" already exists: rotate it, or choose another name'));
  expect(await statusOf(first?.out ?? "")).toBe(201);
  expect(await statesOf("twin")).toEqual(["active"]);
});

const twinFile = fileOf({ apiKeys: [{ name: "twin", key: "a-key-of-sixteen-characters" }] });
const again = "another change was made at the same time; run the command again";

it("apply beside a creation of the same name is refused, and leaves one key when it is run again", async () => {
  line.burgee.wire.beforeFirst(isPut, () => create("twin", "ADMIN"));

  const { code, err } = await line.run("apply", twinFile);
  const { out } = await line.run("apply --yes", twinFile);

  expect([code, err]).toEqual([1, `burgee: key "twin": ${again}\n`]);
  expect(out).toContain('- key "twin"\n');
  expect(await statesOf("twin")).toEqual(["active"]);
});

it("rotate beside an apply that brings the old key back gives way", async () => {
  await line.run("apply", twinFile);
  let puts = 0;
  const isSecondPut = (call: Call) => isPut(call) && ++puts === 2;
  const apiKeys = [{ name: "twin", key: "a-key-of-sixteen-characters", expiresAt: "2999-01-01T00:00:00Z" }];
  line.burgee.wire.beforeFirst(isSecondPut, () => line.run("apply --yes", fileOf({ apiKeys })));

  expect(await line.run("key rotate twin")).toEqual(refused(again));

  expect(await statesOf("twin")).toEqual(["active"]);
});

it("rotate that fails halfway says when the old key ends, and how to create another", async () => {
  await create("half way", "UPDATE_FEATURE:default,ADMIN");
  let puts = 0;
  line.burgee.wire.decide((call) =>
    isPut(call) && ++puts > 1 ? { error: "AccessDeniedException" } : "pass",
  );

  const { code, out, err } = await line.run("key", "rotate", "half way", "--grace", "24h");
  line.burgee.wire.reset();

  expect({ code, out }).toEqual({ code: 1, out: "" });
  const advice = /the old key ends at 2\S+Z, and there may be no new one: run key create (.*)\n$/.exec(
    err,
  )?.[1];
  expect(advice).toBe("'half way' --permission 'UPDATE_FEATURE:default' --permission ADMIN");
  expect((await create("half way", "UPDATE_FEATURE:default", "--permission", "ADMIN")).code).toBe(0);
});

it("rotate revokes those of earlier rotations that have expired", async () => {
  await line.apply({
    apiKeys: [{ name: "ci", key: "a-key-of-an-earlier-rotation", retiredAt: past, expiresAt: past }],
  });
  await create("ci", "UPDATE_FEATURE");

  await line.run("key rotate ci");

  expect(await statesOf("ci")).toEqual(["active", "retiring"]);
});

it.each([
  ["amdin", refused('there is no key "amdin" (did you mean "admin"?)')],
  ["off", refused('the key "off" is disabled: enable it, or create another')],
  ["past", refused('the key "past" has expired: give --expires for the new one')],
  ["leaving", refused('the key "leaving" is retiring: create another with `key create`')],
  ["admin --grace soon", misused('"soon" is not a duration; write it like 90s, 30m, 24h, 7d or 2w')],
  ["admin --grace 10000w", misused('"10000w" is not a duration; write it like 90s, 30m, 24h, 7d or 2w')],
])("rotate refuses %j", async (given, run) => {
  expect(await line.run(`key rotate ${given}`)).toEqual(run);
});

it("revoke ends every key of the name for good, those in grace too, once it was confirmed, and leaves the name free", async () => {
  const { out: first } = await create("leaked", "UPDATE_FEATURE");
  const { out: second } = await line.run("key rotate leaked --grace 1h");

  expect(await line.run("key revoke leaked")).toEqual(unconfirmed);
  expect(await line.run("key revoke leaked --yes")).toEqual(done('Revoked 2 keys named "leaked".\n'));

  expect(await Promise.all([first, second].map(statusOf))).toEqual([401, 401]);
  expect(await line.run("key revoke leaked --yes")).toEqual(refused('there is no key "leaked"'));
  const { out } = await create("leaked", "UPDATE_FEATURE");
  expect(await statusOf(out)).toBe(201);
  expect(await line.json("key revoke leaked --yes")).toEqual({ revoked: "leaked", count: 1 });
});
