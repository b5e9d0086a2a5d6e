/** Writes that reach the table late, such as an attempt that the SDK had given up on: they change nothing. */
import { userInfo } from "node:os";
import { expect, it } from "vitest";
import { hashKey } from "../../../../lib/access/authenticate.ts";
import type { Variant } from "../../../../lib/contract/variants.ts";
import { type ApiKeyItem, apiKeyTableKey, featureTableKey } from "../../../../lib/store/items/items.ts";
import { getItem } from "../../../../lib/store/read-items.ts";
import { add } from "../../../support/patching.ts";
import { featureOf, projectOf, variant } from "../../../support/seed.ts";
import { letPass } from "../../../support/time.ts";
import type { Call } from "../../../support/wire.ts";
import { fileOf, isPut, useCommandLine } from "./command-line.ts";

const line = await useCommandLine();

const storedKey = (key: string) =>
  getItem<ApiKeyItem>(line.burgee.session, apiKeyTableKey(hashKey(key.trim())));
const statusOf = async (key: string) => (await line.burgee.getTags("none", { key: key.trim() })).status;

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

const create = ["key create late --permission ADMIN"];
const rotate = (...options: string[]) => ["key", "rotate", "late", ...options];
const revoke = ["key revoke late --yes"];
const permissions = [{ permission: "ADMIN" }];
const applyKey = [
  "apply",
  fileOf({ apiKeys: [{ name: "late", key: "a-key-that-comes-late", permissions }] }),
];

/** The project's environments are `a` and `b`; the feature has these. */
const fileWith = (lists: Record<string, Variant[]>) =>
  fileOf({ projects: [projectOf("default", "a", "b")], features: [featureOf("f", lists)] });
const apply = (lists: Record<string, Variant[]>) => ["apply", fileWith(lists)];
const prune = (lists: Record<string, Variant[]>) => ["apply --prune --yes", fileWith(lists)];
const project = (...environments: string[][]) => [
  "apply --prune --yes",
  fileOf({ projects: environments.map((names) => projectOf("p", ...names)) }),
];

type Step = string[] | (() => Promise<unknown>);
const blue = [variant("blue")];
// As an interrupted deletion leaves it.
const loseFeature = () => line.burgee.remove(featureTableKey("f"));
const addBlue = () =>
  line.burgee.patchVariants("f", [add("/-", { name: "blue", weight: 1 })], { environment: "b" });

it.each<[string, Step[], string[], Step[]]>([
  ["key create` does not revive a key that was revoked since", [], create, [revoke]],
  ["key rotate` does not revive a key that was revoked since", [create], rotate(), [revoke]],
  ["key revoke` does not end a key that a state file brought back", [applyKey], revoke, [applyKey]],
  [
    "apply --prune` does not delete variants of an environment that was added again",
    [apply({ a: [], b: [] })],
    prune({ a: [] }),
    [apply({ a: [], b: [] }), addBlue],
  ],
  [
    "apply` does not replace an environment that was created again",
    [apply({ a: [] }), loseFeature, async () => letPass(6)],
    apply({ a: [] }),
    [["feature delete f --yes"], apply({ a: blue })],
  ],
  [
    "apply` does not bring back an environment that was removed",
    [apply({ a: [] })],
    apply({ a: [], b: [] }),
    [prune({ a: [] })],
  ],
  ["apply` does not undo a change of a project", [project(["a"])], project(["a", "b"]), [project(["a"])]],
  ["apply` does not remove a project that was created again", [project(["a"])], project(), [project(["a"])]],
])("a late copy of `%s", async (_, before, late, after) => {
  const take = async (steps: Step[]) => {
    for (const step of steps) await (Array.isArray(step) ? line.run(...step) : step());
  };
  await take(before);
  const writes = await writesOf(...late);
  await take(after);
  const state = await line.exported();

  for (const write of [...writes, ...writes.toReversed()]) await arriveAgain(write);

  expect(writes.length).toBeGreaterThan(0);
  expect(await line.exported()).toBe(state);
});

it("a key records its operator; revoked, it leaves a tombstone, which DynamoDB removes after 30 days and every reader ignores", async () => {
  const { out: key } = await line.run(...create);
  expect((await storedKey(key))?.lastWrite.by).toBe(userInfo().username);
  const now = Date.now() / 1000;

  await line.run("key revoke late --yes");

  const { ttl = 0, ...item } = (await storedKey(key)) ?? {};
  const revokedAt = expect.any(String);
  expect(item).toMatchObject({ name: "late", disabled: true, permissions: [], revokedAt });
  expect((ttl - now) / 86_400).toBeCloseTo(30, 1);
  expect(await statusOf(key)).toBe(401);
  expect(await line.exported()).not.toContain("late");
  expect((await line.run("key list")).out).not.toContain("late");
});

it("a lost response is not a failure: the retry finds what the first attempt did", async () => {
  line.burgee.wire.decide((call) => (isPut(call) && call.attempt === 1 ? "lose the answer" : "pass"));

  const { code, out } = await line.run(...create);
  expect([code, (await line.run(...rotate())).code]).toEqual([0, 0]);
  expect(await line.json(...revoke)).toEqual({ revoked: "late", count: 2 });
  expect(await statusOf(out)).toBe(401);
});
