/** Writes that reach the table late, such as an attempt that the SDK had given up on: they change nothing. */
import { userInfo } from "node:os";
import { expect, it } from "vitest";
import { hashKey } from "../../../lib/access/authenticate.ts";
import type { Variant } from "../../../lib/contract/variants.ts";
import { type ApiKeyItem, apiKeyKey, featureKey, getItem } from "../../../lib/store/items.ts";
import { add } from "../../support/patching.ts";
import { featureOf, projectOf, variant } from "../../support/seed.ts";
import type { Call } from "../../support/wire.ts";
import { fileOf, isPut, useCommandLine } from "./command-line.ts";

const line = await useCommandLine();

const storedKey = (key: string) => getItem<ApiKeyItem>(line.burgee.session, apiKeyKey(hashKey(key.trim())));
const statusOf = async (key: string) => (await line.burgee.getTags("none", { key: key.trim() })).status;
const create = (name: string) => line.run("key", "create", name, "--permission", "ADMIN");

/** What a command wrote. */
async function writesOf(...given: string[]): Promise<Call[]> {
  line.burgee.wire.reset();
  expect(await line.run(...given)).toMatchObject({ code: 0 });
  return line.writes();
}

/** The same request as before. */
async function arriveAgain({ operation, input }: Call): Promise<void> {
  const headers = {
    "x-amz-target": `DynamoDB_20120810.${operation}`,
    "content-type": "application/x-amz-json-1.0",
    "x-amz-date": "20260101T000000Z",
    authorization:
      "AWS4-HMAC-SHA256 Credential=local/20260101/eu-central-1/dynamodb/aws4_request, SignedHeaders=host, Signature=d",
  };
  const body = JSON.stringify(input);
  const { status } = await fetch(line.burgee.wire.endpoint, { method: "POST", headers, body });
  expect([200, 400]).toContain(status);
}

const stateFile = (name: string, key: string) =>
  fileOf({ apiKeys: [{ name, key, permissions: [{ permission: "ADMIN" }] }] });

it.each([
  ["create", "late-create", ["key create late-create --permission ADMIN"]],
  ["rotate", "late-rotate", ["key rotate late-rotate"]],
  ["rotate --grace 0s", "late-leak", ["key rotate late-leak --grace 0s"]],
  ["apply", "late-apply", ["apply", stateFile("late-apply", "a-key-that-comes-late")]],
])("a late copy of `%s` does not revive a key that was revoked since", async (command, name, late) => {
  if (command.startsWith("rotate")) await create(name);
  const writes = await writesOf(...late);
  await line.run("key", "revoke", name, "--yes");
  const keys = await line.exported();

  for (const write of [...writes, ...writes.toReversed()]) await arriveAgain(write);

  expect(writes.length).toBeGreaterThan(0);
  expect(await line.exported()).toBe(keys);
  expect(keys).not.toContain(name);
});

it("a late copy of `key revoke` does not end a key that a state file brought back", async () => {
  const file = stateFile("back", "a-key-that-comes-back");
  await line.run("apply", file);
  const writes = await writesOf("key revoke back --yes");
  await line.run("apply", file);

  for (const write of writes) await arriveAgain(write);

  expect(writes).toHaveLength(1);
  expect(await statusOf("a-key-that-comes-back")).toBe(404);
});

it("a late copy of `apply --prune` does not delete variants of an environment that was added again", async () => {
  const stateOf = (...environments: string[]) => {
    const lists = Object.fromEntries(environments.map((environment) => [environment, []]));
    return fileOf({ projects: [projectOf("default", ...environments)], features: [featureOf("f", lists)] });
  };
  await line.run("apply", stateOf("a", "b"));
  const writes = await writesOf("apply --prune --yes", stateOf("a"));
  await line.run("apply", stateOf("a", "b"));
  await line.burgee.patch("f", [add("/-", { name: "blue", weight: 1 })]);

  for (const write of writes.filter(({ operation }) => operation === "DeleteItem")) await arriveAgain(write);

  expect(await line.burgee.names("f", "b")).toEqual(["blue"]);
});

it("a late copy of `apply` does not replace an environment that was created again", async () => {
  const stateOf = (variants: Variant[]) =>
    fileOf({ projects: [projectOf("default", "a")], features: [featureOf("again", { a: variants })] });
  await line.run("apply", stateOf([]));
  // As an interrupted deletion leaves it.
  await line.burgee.remove(featureKey("again"));
  const writes = await writesOf("apply", stateOf([]));
  await line.run("feature delete again --yes");
  await line.run("apply", stateOf([variant("blue")]));

  for (const write of writes) await arriveAgain(write);

  expect(await line.burgee.names("again", "a")).toEqual(["blue"]);
});

it("a key records its operator; revoked, it leaves a tombstone, which DynamoDB removes after a day and every reader ignores", async () => {
  const { out: key } = await create("gone");
  expect((await storedKey(key))?.changed.by).toBe(userInfo().username);
  const now = Date.now() / 1000;

  await line.run("key revoke gone --yes");

  const { ttl = 0, ...item } = (await storedKey(key)) ?? {};
  const revokedAt = expect.any(String);
  expect(item).toMatchObject({ name: "gone", disabled: true, permissions: [], revokedAt });
  expect(ttl - now).toBeGreaterThan(86_000);
  expect(ttl - now).toBeLessThan(86_500);
  expect(await statusOf(key)).toBe(401);
  expect(await line.exported()).not.toContain("gone");
  expect((await line.run("key list")).out).not.toContain("gone");
});

it("a lost response is not a failure: the retry finds what the first attempt did", async () => {
  line.burgee.wire.decide((call) => (isPut(call) && call.attempt === 1 ? "lose the answer" : "pass"));

  const { code, out } = await create("lost");
  expect([code, (await line.run("key rotate lost")).code]).toEqual([0, 0]);
  expect(await line.json("key revoke lost --yes")).toEqual({ revoked: "lost", count: 2 });
  expect(await statusOf(out)).toBe(401);
});

it("a late copy of `apply` does not bring back an environment that was removed", async () => {
  const stateOf = (...environments: string[]) => {
    const lists = Object.fromEntries(environments.map((environment) => [environment, []]));
    return fileOf({ projects: [projectOf("default", "a", "b")], features: [featureOf("late", lists)] });
  };
  await line.run("apply", stateOf("a"));
  const writes = await writesOf("apply", stateOf("a", "b"));
  await line.run("apply --prune --yes", stateOf("a"));
  const state = await line.exported();

  for (const write of writes) await arriveAgain(write);

  expect(writes.length).toBeGreaterThan(0);
  expect(await line.exported()).toBe(state);
  expect(await line.json("apply --dry-run", stateOf("a"))).toMatchObject({ updated: 0 });
});

it.each([
  ["undo a change of a project", "changed", ["a", "b"]],
  ["remove a project that was created again", "removed", undefined],
])("a late copy of `apply` does not %s", async (_, name, late) => {
  const { projects } = JSON.parse(await line.exported());
  const stateOf = (environments: string[] | undefined) =>
    fileOf({ projects: [...projects, ...(environments ? [projectOf(name, ...environments)] : [])] });
  await line.run("apply", stateOf(["a"]));
  const writes = await writesOf("apply --prune --yes", stateOf(late));
  await line.run("apply --prune --yes", stateOf(["a"]));
  const state = await line.exported();

  for (const write of writes) await arriveAgain(write);

  expect(writes.length).toBeGreaterThan(0);
  expect(await line.exported()).toBe(state);
});
