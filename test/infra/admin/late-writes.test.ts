/** Writes of API keys that reach the table late, such as an attempt that the SDK had given up on: they change nothing. */
import { expect, it } from "vitest";
import { hashKey } from "../../../lib/access/authenticate.ts";
import { getItem } from "../../../lib/store/get-item.ts";
import { type ApiKeyItem, apiKeyKey } from "../../../lib/store/items.ts";
import type { Call } from "../../support/wire.ts";
import { newFolder, useCommandLine } from "./command-line.ts";

const folder = newFolder();

const line = await useCommandLine();

const storedKey = (key: string) => getItem<ApiKeyItem>(line.burgee.session, apiKeyKey(hashKey(key.trim())));

/** What a command wrote. */
async function writesOf(...given: string[]): Promise<Call[]> {
  line.burgee.wire.reset();
  const { code } = await line.run(...given);
  expect(code).toBe(0);
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
  const answer = await fetch(line.burgee.wire.endpoint, {
    method: "POST",
    headers,
    body: JSON.stringify(input),
  });
  expect([200, 400]).toContain(answer.status);
}

const stateFile = (name: string, key: string) =>
  folder.file(`${name}.json`, { apiKeys: [{ name, key, permissions: [{ permission: "ADMIN" }] }] });

it.each([
  ["create", ["key", "create", "late-create", "--permission", "ADMIN"], []],
  ["rotate", ["key", "rotate", "late-rotate"], ["key", "create", "late-rotate", "--permission", "ADMIN"]],
  [
    "rotate --grace 0s",
    ["key", "rotate", "late-leak", "--grace", "0s"],
    ["key", "create", "late-leak", "--permission", "ADMIN"],
  ],
  ["apply", ["apply", stateFile("late-apply", "a-key-that-comes-late")], []],
])("a late copy of `%s` does not revive a key that was revoked since", async (_, late, before) => {
  const name = before[2] ?? (late[0] === "apply" ? "late-apply" : (late[2] ?? ""));
  if (before.length > 0) await line.run(...before);
  const writes = await writesOf(...late);
  await line.run("key", "revoke", name, "--yes");
  const keys = await line.exported();

  for (const write of writes) await arriveAgain(write);
  for (const write of writes.reverse()) await arriveAgain(write);

  expect(writes.length).toBeGreaterThan(0);
  expect(await line.exported()).toBe(keys);
  expect(keys).not.toContain(name);
});

it("a late copy of `key revoke` does not end a key that a state file brought back", async () => {
  const file = stateFile("back", "a-key-that-comes-back");
  await line.run("apply", file);
  const writes = await writesOf("key", "revoke", "back", "--yes");
  await line.run("apply", file);

  for (const write of writes) await arriveAgain(write);

  expect(writes).toHaveLength(1);
  expect((await line.burgee.getTags("none", { key: "a-key-that-comes-back" })).status).toBe(404);
});

it("a revoked key leaves a tombstone, which DynamoDB removes after a day and every reader ignores", async () => {
  const { out: key } = await line.run("key", "create", "gone", "--permission", "ADMIN");
  const now = Date.now() / 1000;

  await line.run("key", "revoke", "gone", "--yes");

  const { ttl = 0, ...item } = (await storedKey(key)) ?? {};
  expect(item).toMatchObject({
    name: "gone",
    disabled: true,
    permissions: [],
    revokedAt: expect.any(String),
  });
  expect(ttl - now).toBeGreaterThan(86_000);
  expect(ttl - now).toBeLessThan(86_500);
  expect((await line.burgee.getTags("none", { key: key.trim() })).status).toBe(401);
  expect(await line.exported()).not.toContain("gone");
  expect((await line.run("key", "list")).out).not.toContain("gone");
});

it("a lost response is not a failure: the SDK's retry finds what the first attempt did", async () => {
  line.burgee.wire.decide(({ operation, attempt }) =>
    operation === "PutItem" && attempt === 1 ? "lose the answer" : "pass",
  );

  const { code, out } = await line.run("key", "create", "lost", "--permission", "ADMIN");
  const rotated = await line.run("key", "rotate", "lost");
  const revoked = await line.json("key", "revoke", "lost", "--yes");

  line.burgee.wire.reset();
  expect([code, rotated.code, revoked]).toEqual([0, 0, { revoked: "lost", count: 2 }]);
  expect((await line.burgee.getTags("none", { key: out.trim() })).status).toBe(401);
});

it("a key records the operator who changed it", async () => {
  const { out: key } = await line.run("key", "create", "made", "--permission", "ADMIN");

  expect((await storedKey(key))?.changed?.by).toMatch(/^the command line \(.+ on .+\)$/);
});
