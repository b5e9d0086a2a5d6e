/** The first start on a data folder stores a state; the part that an interruption leaves is refused. */
import { expect, it } from "vitest";
import { stateSchema } from "../../../infra/state/state-file.ts";
import { createTable } from "../../../infra/store/create-table.ts";
import { storeFirstState } from "../../../infra/store/write-state.ts";
import type { Session } from "../../../lib/store/dynamodb/session.ts";
import { times } from "../../support/patching.ts";
import { runNode } from "../../support/program.ts";
import { tag, variant } from "../../support/seed.ts";
import { plainEnvironment } from "../../support/server.ts";
import { openTable } from "../../support/table.ts";
import { run, useCommandLine } from "../clients/admin/command-line.ts";

const state = stateSchema.parse({
  projects: [{ id: "default", environments: ["development", "production"] }],
  features: times(20, (index) => ({
    name: `feature-${index}`,
    project: "default",
    tags: [tag(`tag-${index}`)],
    environments: { development: { variants: [variant("x".repeat(100))] }, production: { variants: [] } },
  })),
});

const line = await useCommandLine();

/** Stores a state as a start does, interrupted after a number of calls. */
async function importInto(session: Session, calls = Number.POSITIVE_INFINITY) {
  const { isEmpty } = await createTable(session.table);
  let left = calls;
  line.burgee.wire.decide(() => (left-- > 0 ? "pass" : { error: "AccessDeniedException" }));
  return storeFirstState(session, { state, isEmpty });
}

const incomplete = "only a part of the first state is stored";

it("a first start that is interrupted at any of its calls leaves nothing, or a part that the next one refuses", async () => {
  const outcomes: string[] = [];
  for (let calls = 0; outcomes.at(-1) !== "stored"; calls++) {
    const session = openTable();
    const isStored = await importInto(session, calls).catch(() => false);
    line.burgee.wire.reset();
    const again = await importInto(session).catch((error) => error.message);
    outcomes.push(isStored ? "stored" : again);
  }

  expect(outcomes).toEqual([true, ...Array(5).fill(expect.stringContaining(incomplete)), "stored"]);
}, 60_000);

it("of two first starts at once, one stores its state, and the other is refused", async () => {
  const session = openTable();
  const { isEmpty } = await createTable(session.table);
  const other = { ...state, projects: [{ id: "other", environments: [] }], features: [] };

  const both = [state, other].map((each) => storeFirstState(session, { state: each, isEmpty }));
  const starts = await Promise.allSettled(both);

  const refused = { status: "rejected", reason: { message: expect.stringContaining(incomplete) } };
  expect(starts.toSorted((one, two) => (one.status < two.status ? -1 : 1))).toMatchObject([
    { status: "fulfilled", value: true },
    refused,
  ]);
  const { out } = await run([...line.at(session.table), "project", "list"]);
  expect(out.includes("default")).not.toBe(out.includes("other"));
});

it("a first start that was interrupted refuses every command, and every start", async () => {
  const session = openTable();
  await importInto(session, 4).catch(() => {});
  line.burgee.wire.reset();

  const listed = await run([...line.at(session.table), "feature", "list"]);
  const { code, err } = await runNode(
    ["dist/tools/start.mjs", "--port", "0", "--endpoint", line.burgee.wire.endpoint],
    {
      env: { ...plainEnvironment(), TABLE_NAME: session.table },
    },
  );

  expect(listed).toEqual({ code: 1, out: "", err: expect.stringContaining(incomplete) });
  expect(code).toBe(1);
  expect(err).toContain(incomplete);
});
