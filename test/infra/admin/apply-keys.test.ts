/** `apply FILE`: what it makes of API keys. */
import { expect, it } from "vitest";
import { adminKey } from "../../support/burgee.ts";
import { done, freshCommandLine, newFolder, refused } from "./command-line.ts";

const folder = newFolder();

const admin = { name: "admin", key: adminKey, permissions: [{ permission: "ADMIN" }] };

const line = freshCommandLine({
  projects: [{ id: "default", environments: ["production"] }],
  features: [{ name: "search", project: "default" }],
});

it("with --prune and an empty list of keys leaves no key valid", async () => {
  const file = folder.file("no-keys.json", { apiKeys: [] });

  expect(await line.run("apply", file, "--prune", "--yes")).toMatchObject({ code: 0 });
  expect(await line.statusOf("search")).toBe(401);
});

it("gives a key of a known name its new value, and the old one ends", async () => {
  const key = "another-key-of-the-admin";
  const file = folder.file("key.json", { apiKeys: [{ ...admin, key }] });

  const { out } = await line.run("apply", file, "--dry-run");
  await line.run("apply", file);

  expect(out).toContain('~ key "admin"\n    another key: the old one is revoked\n');
  expect([await line.statusOf("search"), await line.statusOf("search", key)]).toEqual([401, 201]);
});

it("gives a key that comes under another name that name", async () => {
  const file = folder.file("renamed.json", { apiKeys: [{ ...admin, name: "operator" }] });

  const { changes, removed } = await line.json("apply", file);

  expect(changes).toEqual([
    {
      action: "update",
      kind: "apiKey",
      name: "operator",
      differences: [{ what: "name", from: "admin", to: "operator" }],
    },
  ]);
  expect(removed).toBe(0);
  expect(await line.statusOf("search")).toBe(201);
  expect((await line.json("key", "list")).map(({ name }: { name: string }) => name)).toEqual(["operator"]);
});

it("leaves a retiring key valid when its name gets another key, and accepts an exported one back", async () => {
  await line.run("key", "rotate", "admin");
  const exported = await line.exported();
  const key = "another-key-of-the-admin";
  const file = folder.file("rotated.json", { apiKeys: [{ ...admin, key }] });

  const replaced = await line.json("apply", file);
  const listed = await line.json("key", "list");
  const { changes } = await line.json(
    "apply",
    folder.file("before.json", JSON.parse(exported)),
    "--prune",
    "--yes",
  );

  expect(replaced).toMatchObject({ created: 0, updated: 1, removed: 0 });
  expect(listed.map(({ state }: { state: string }) => state)).toEqual(["active", "retiring"]);
  expect(changes).toMatchObject([{ action: "update", differences: [{ what: "keyHash" }] }]);
  expect(await line.exported()).toBe(exported);
  expect(JSON.parse(exported).apiKeys).toMatchObject([
    { name: "admin", disabled: false },
    { name: "admin", expiresAt: expect.any(String), retiredAt: expect.any(String) },
  ]);
});

it("brings a revoked key back when the file has it", async () => {
  const file = folder.file("back.json", { apiKeys: [admin] });
  await line.run("key", "revoke", "admin", "--yes");

  const applied = await line.run("apply", file);

  expect(applied).toEqual(done("1 created, 0 updated, 0 removed, 2 unchanged.\n"));
  expect(await line.statusOf("search")).toBe(201);
});

it("refuses to overwrite a key that was revoked after it was read", async () => {
  const file = folder.file("raced.json", { apiKeys: [{ ...admin, permissions: [] }] });
  line.burgee.wire.beforeFirst(
    ({ operation }) => operation === "PutItem",
    () => line.run("key", "revoke", "admin", "--yes"),
  );

  const applied = await line.run("apply", file);

  expect(applied).toEqual(refused('key "admin": it was changed concurrently; run the command again'));
  expect(JSON.parse(await line.exported()).apiKeys).toEqual([]);
});
