/** The first start on a data folder stores a state; a start that is interrupted is completed by the next one. */
import { expect, it } from "vitest";
import { stateSchema } from "../../../infra/state/state.ts";
import { createTable } from "../../../infra/store/create-table.ts";
import { findPendingImport, importState } from "../../../infra/store/import-state.ts";
import { writeState } from "../../../infra/store/write-state.ts";
import type { Session } from "../../../lib/store/session.ts";
import { times } from "../../support/patching.ts";
import { runNode } from "../../support/program.ts";
import { tag, variant } from "../../support/seed.ts";
import { plainEnvironment } from "../../support/server.ts";
import { openTable } from "../../support/table.ts";
import { useCommandLine } from "../admin/command-line.ts";

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
    const outcome = await importInto(session, { calls }).catch(() => "interrupted");
    line.burgee.wire.reset();
    const source = await findPendingImport(session);
    pending.push(source);
    const pendingOne = { outcome: "other import pending", source };
    if (source) expect(await importInto(session, { features: 1 })).toEqual(pendingOne);
    const again = await importInto(session);

    expect(await findPendingImport(session)).toBeUndefined();
    expect(await line.exported(session.table), `after ${calls} calls`).toBe(whole);
    if (outcome !== "interrupted") break;
    expect(again).toEqual({ outcome: "stored" });
  }
  // Only the first call and the last leave no part.
  expect(pending.length).toBe(8);
  expect(new Set(pending.slice(1, -1))).toEqual(new Set(["20 features"]));
}, 60_000);

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

it("a first start that was interrupted refuses every command, and a start with another state", async () => {
  const session = openTable();
  await importInto(session, { calls: 4 }).catch(() => {});
  line.burgee.wire.reset();
  const part = "the first start was interrupted: only a part of its state (20 features) is stored";

  const listed = await line.run("--table", session.table, "feature", "list");
  const { code, err } = await runNode(["dist/tools/start.mjs", "--endpoint", line.burgee.wire.endpoint], {
    env: { ...plainEnvironment(), TABLE_NAME: session.table },
  });

  expect(listed).toEqual({ code: 1, out: "", err: expect.stringContaining(part) });
  expect(code).toBe(1);
  expect(err).toContain(
    "has only a part of another state (20 features): its first start was interrupted, or is running; " +
      "start with that state again to complete it, or delete its table",
  );
});
