/** The first start on a data folder stores a state; a start that is interrupted is completed by the next one. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, statSync } from "node:fs";
import path from "node:path";
import { setImmediate } from "node:timers/promises";
import { expect, it } from "vitest";
import { stateSchema } from "../../../infra/state/state.ts";
import { createTable } from "../../../infra/store/create-table.ts";
import { findPendingImport, importState } from "../../../infra/store/import-state.ts";
import { writeState } from "../../../infra/store/write-state.ts";
import type { Session } from "../../../lib/store/session.ts";
import { times } from "../../support/patching.ts";
import { tag, variant } from "../../support/seed.ts";
import { plainEnvironment, runServer, startServer } from "../../support/server.ts";
import { openTable } from "../../support/table.ts";
import { done, newFolder, refused, runProcess, useCommandLine } from "../admin/command-line.ts";

const apiKey = "a key of this test, long enough";

const stateOf = (features: number) => ({
  projects: [{ id: "default", environments: ["development", "production"] }],
  features: times(features, (index) => ({
    name: `feature-${index}`,
    project: "default",
    tags: [tag(`tag-${index}`)],
    environments: { development: { variants: [variant("x".repeat(100))] }, production: { variants: [] } },
  })),
  apiKeys: [{ name: "me", key: apiKey, permissions: [{ permission: "ADMIN" as const }] }],
});

const line = await useCommandLine();

/** Stores a state as a start does, interrupted after a number of calls. */
async function importInto(session: Session, { features = 20, calls = Number.POSITIVE_INFINITY } = {}) {
  const { isEmpty } = await createTable(session.table);
  let left = calls;
  line.burgee.wire.decide(() => (left-- > 0 ? "pass" : { error: "AccessDeniedException" }));
  const state = stateSchema.parse(stateOf(features));
  return importState(session, { state, source: `${features} features`, isEmpty });
}

it("a first start that is interrupted at any of its calls is completed by the next one, and by no other state", async () => {
  const complete = openTable();
  await importInto(complete);
  const whole = await line.exported(complete.table);

  const pending: unknown[] = [];
  for (let calls = 0; ; calls++) {
    const session = openTable();
    const outcome = await importInto(session, { calls }).catch((error) => error.name);
    line.burgee.wire.reset();
    const source = await findPendingImport(session);
    pending.push(source);
    const pendingOne = { outcome: "other import pending", source };
    if (source) expect(await importInto(session, { features: 1 })).toEqual(pendingOne);
    const again = await importInto(session);

    expect(await findPendingImport(session)).toBeUndefined();
    expect(await line.exported(session.table), `after ${calls} calls`).toBe(whole);
    if (outcome !== "AccessDeniedException") break;
    expect(again).toEqual({ outcome: "stored" });
  }
  // Only the first call and the last leave no part.
  expect(pending.length).toBe(8);
  expect(new Set(pending.slice(1, -1))).toEqual(new Set(["20 features"]));
});

it("a first start that is complete is never repeated: what was changed and removed since stays so", async () => {
  const session = openTable();
  await importInto(session);
  await line.run("--table", session.table, "feature", "delete", "feature-3", "--yes");
  const changed = await line.exported(session.table);

  expect(await importInto(session)).toEqual({ outcome: "data present" });
  expect(changed).not.toContain("feature-3");
  expect(await line.exported(session.table)).toBe(changed);
});

it("of two first starts at once on one table, a second one with another state is refused", async () => {
  const session = openTable();
  const outcomes = await Promise.all([importInto(session), importInto(session, { features: 1 })]);

  const [stored, refusedOne] = outcomes[0].outcome === "stored" ? outcomes : outcomes.toReversed();
  expect(stored).toEqual({ outcome: "stored" });
  expect(refusedOne?.outcome).toBe("other import pending");
  const { features } = JSON.parse(await line.exported(session.table));
  expect([1, 20]).toContain(features.length);
});

it("of two first starts at once with one state, the later one overwrites nothing that was changed since", async () => {
  const session = openTable();
  const { isEmpty } = await createTable(session.table);
  const state = stateSchema.parse(stateOf(20));
  await importInto(session, { calls: 6 }).catch(() => {});
  line.burgee.wire.reset();
  await writeState(session, { ...state, features: state.features.map((each) => ({ ...each, tags: [] })) });

  await importState(session, { state, source: "the second", isEmpty });

  expect(await line.exported(session.table)).not.toContain("tag-");
});

const { path: folder, file } = newFolder();
const stateFile = file("state.json", stateOf(100));
const part = `the first start was interrupted: only a part of its state (${stateFile}) is stored; npm start completes it`;

/** Kills a first start once the engine has a number of bytes on disk. */
async function startAndKill(data: string, bytes: number): Promise<void> {
  const given = ["dist/tools/start.mjs", "--port", "0", "--state", stateFile, "--data", data];
  const child = spawn(process.execPath, given, { env: plainEnvironment() });
  while (stored(data) < bytes && child.exitCode === null) await setImmediate();
  if (child.kill("SIGKILL")) await once(child, "exit");
}

function stored(data: string): number {
  const database = path.join(data, "dynamodb");
  if (!existsSync(database)) return 0;
  const files = readdirSync(database).map((name) => path.join(database, name));
  return files.reduce((sum, file) => sum + (statSync(file, { throwIfNoEntry: false })?.size ?? 0), 0);
}

it("a first start that is killed is completed by the next one, after others were refused", async () => {
  // The signal may come before the first item, or after the last one: then another folder is tried.
  let data = "";
  let listed = done();
  for (let attempt = 0; attempt < 10 && !listed.err.includes(part); attempt++) {
    data = path.join(folder, `killed-${attempt}`);
    await startAndKill(data, 10_000 * (1 + (attempt % 5)));
    listed = await runProcess(["--data", data, "feature", "list"]);
  }
  expect(listed).toEqual(refused(part));

  const other = await runServer("--data", data, "--port", "0");
  await startAndKill(data, 40_000);
  const next = await startServer("--state", stateFile, "--data", data);
  await next.kill();

  const advice = "start with that state again to complete it, or delete that folder";
  const reason = `a part of another state (${stateFile}): its first start was interrupted, or is running; ${advice}`;
  expect(other).toEqual(refused(`${data} has only ${reason}`));
  expect(next.lines).toContain(`API key: ${apiKey}`);
  const { features, apiKeys } = JSON.parse((await runProcess(["--data", data, "export"])).out);
  expect([features.length, apiKeys.length]).toEqual([100, 1]);
}, 60_000);
