/** What `history` lists beside changes: who made, deleted and restored features and projects, and what was done to keys. */
import { userInfo } from "node:os";
import { expect, it } from "vitest";
import { scanTable } from "../../../../infra/store/read-table.ts";
import { hashKey } from "../../../../lib/access/authenticate.ts";
import { limits } from "../../../../lib/contract/limits.ts";
import { featureOf, projectOf } from "../../../support/seed.ts";
import type { Call } from "../../../support/wire.ts";
import { done, isPut, useCommandLine } from "./command-line.ts";

const line = await useCommandLine({
  projects: [projectOf("default", "development")],
  features: [featureOf("checkout", { development: [] })],
  apiKeys: [{ name: "seeded", key: "a-key-of-the-first-state" }],
});

const by = userInfo().username;

interface Listed {
  kind: string;
  name: string;
  did: string;
  [member: string]: unknown;
}

const records = async (...given: string[]): Promise<Listed[]> =>
  (await line.json("history", ...given)).records;
const linesOf = async (kind: string) =>
  (await records()).flatMap((one) => (one.kind === kind ? [`${one.name} ${one.did}`] : []));

it("history lists who made, deleted and restored a feature, when and why", async () => {
  expect(await line.run("history")).toEqual(done("There are no changes.\n"));
  await line.run("feature create banner --project default --reason new");
  const { deletion, restorableUntil } = await line.json("feature delete banner --yes --reason unused");
  await line.run("feature restore banner --yes --reason used");

  const { out } = await line.run("history");

  const lines = out.replaceAll(/ 2\S+Z (?!")/g, " TIME ").split("\n");
  const id = "[\\w-]{11}";
  expect(lines).toEqual([
    expect.stringMatching(new RegExp(`^${id}  TIME feature "banner" restored by ${by}: used$`)),
    `${deletion}  TIME feature "banner" deleted by ${by}: unused (can be restored until ${restorableUntil})`,
    expect.stringMatching(new RegExp(`^${id}  TIME feature "banner" created by ${by}: new$`)),
    "",
  ]);
  expect((await records())[1]).toEqual({
    ...{ kind: "feature", name: "banner", project: "default", did: "deleted", id: deletion },
    ...{ by, at: expect.any(String), reason: "unused", restorableUntil },
  });
  expect(await records("--since", "2100-01-01")).toEqual([]);
});

it("history lists features that callers of the API and a state file made, and what a pruned one deleted", async () => {
  const path = "/api/admin/projects/default/features";
  const headers = { "content-type": "application/json" };
  const body = JSON.stringify({ name: "by-key" });
  expect(await line.burgee.send({ method: "POST", path, headers, body })).toMatchObject({ status: 201 });
  const features = [featureOf("by-file", { development: [] })];
  const projects = [projectOf("default", "development")];
  await line.apply({ projects, features }, "--reason", "a merge");
  await line.apply({ projects, features: [] }, "--prune", "--yes");

  const all = await records();

  expect(all.filter(({ did }) => did === "created")).toMatchObject([
    { name: "by-file", by, reason: "a merge" },
    { name: "by-key", by: "admin" },
  ]);
  const deleted = all.filter(({ kind, did }) => kind === "feature" && did === "deleted");
  expect(deleted.map(({ name }) => name).sort()).toEqual(["by-file", "by-key", "checkout"]);
});

it("history lists what was done to keys, each with its hash, and a revoked one for 30 days", async () => {
  const { out } = await line.run("key create ci --permission READ --reason pipeline");
  const first = hashKey(out.trim()).slice(0, 8);
  await line.run("key rotate ci --grace 1h");
  await line.run("key revoke ci --yes --reason leaked");
  const seeded = { name: "seeded", key: "a-key-of-the-first-state" };
  await line.apply({ apiKeys: [{ ...seeded, disabled: true }] });
  await line.apply({ apiKeys: [{ ...seeded, disabled: false }] }, "--yes");

  const all = await records();

  const ofFirst = all.filter(({ keyHash }) => keyHash === first);
  expect(ofFirst).toMatchObject([
    { name: "ci", did: "revoked", by, reason: "leaked" },
    { did: "rotated", by },
    { did: "created", by, reason: "pipeline" },
  ]);
  expect((await linesOf("key")).sort()).toEqual([
    ...["ci created", "ci created", "ci revoked", "ci revoked", "ci rotated"],
    ...["seeded disabled", "seeded enabled"],
  ]);
  const { out: shown } = await line.run("history");
  expect(shown).toMatch(new RegExp(`key "ci" \\(${first}\\) revoked by ${by}: leaked\n`));
  expect(shown).not.toContain(out.trim());
  const revoked = (await scanTable(line.burgee.session)).filter((item) => "revokedAt" in item);
  for (const { ttl } of revoked as unknown as { ttl: number }[])
    expect(ttl - Date.now() / 1000).toBeGreaterThan((limits.keptDays - 0.1) * 86_400);
  expect(await line.exported()).not.toContain("revoked");
});

it("history lists who made and removed a project", async () => {
  await line.run("project put other live --yes --reason team");
  await line.run("project remove other --yes --reason merged");
  await line.run("project put other live --yes");

  expect(await linesOf("project")).toEqual(["other created", "other deleted", "other created"]);
  expect(await records("--project", "other")).toMatchObject([
    {},
    { by, reason: "merged" },
    { by, reason: "team" },
  ]);
});

it("history has no deletion that was interrupted before the feature was gone", async () => {
  const isDelete = ({ operation }: Call) => operation === "DeleteItem";
  line.burgee.wire.decide((call) => (isDelete(call) ? { error: "AccessDeniedException" } : "pass"));
  await line.run("feature delete checkout --yes");
  line.burgee.wire.reset();

  expect(await linesOf("feature")).toEqual([]);
  await line.run("feature delete checkout --yes");
  expect(await linesOf("feature")).toEqual(["checkout deleted"]);
});

it("history has no key whose creation failed, and one whose response was lost", async () => {
  line.burgee.wire.decide((call) => (isPut(call) ? { error: "AccessDeniedException" } : "pass"));
  await line.run("key create ci --permission READ");
  expect(await linesOf("key")).toEqual([]);
  line.burgee.wire.decide((call) => (isPut(call) && call.attempt === 1 ? "lose the answer" : "pass"));

  await line.run("key create ci --permission READ");

  expect(await linesOf("key")).toEqual(["ci created"]);
});
