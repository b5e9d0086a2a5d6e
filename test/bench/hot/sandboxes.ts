/** Runs sandboxes on one engine with some milliseconds of latency, like DynamoDB's. */
import { type ChildProcess, fork } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createTable } from "../../../infra/store/create-table.ts";
import { writeState } from "../../../infra/store/write-state.ts";
import { type EnvironmentItem, environmentKey, getItem } from "../../../lib/store/items.ts";
import { openTable, settingsOf } from "../../support/table.ts";
import { type Call, createWire } from "../../support/wire.ts";
import { apiKey, stateWith } from "../requests.ts";
import type { Job } from "./caller.ts";
import type { Looped } from "./loop.ts";
import { type Load, type Run, toRun } from "./run.ts";

/** Added to each call to the database: 2 to 8 ms. */
const delay = { least: 2, spread: 6 };
const program = new URL("caller.mjs", import.meta.url);

export interface Sandboxes {
  run(load: Load, seconds: number): Promise<Run>;
  stop(): void;
}

export async function startSandboxes(engine: string, count: number): Promise<Sandboxes> {
  const wire = await createWire(engine);
  const table = `burgee-${randomUUID()}`;
  const environment = {
    ...settingsOf(wire.endpoint),
    AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: "true",
    TABLE_NAME: table,
    KEY_CACHE_SECONDS: "3600",
  };
  Object.assign(process.env, environment);
  await createTable(table);
  const session = openTable(table);
  const features = Array.from({ length: count }, (_, index) => `feature-${index}`);
  await writeState(session, apiKey);
  for (const name of features) await writeState(session, stateWith({ name }));
  const callers = features.map(() => fork(program, { env: { ...process.env, ...environment } }));

  async function revisionsOf(feature: string): Promise<number> {
    const [{ environments = {} } = {}] = stateWith().features;
    const items = await Promise.all(
      Object.keys(environments).map((name) =>
        getItem<EnvironmentItem>(session, environmentKey(feature, name)),
      ),
    );
    return items.reduce((sum, item) => sum + (item?.revision ?? 0), 0) / items.length;
  }

  const sumOfRevisions = async () => {
    const revisions = await Promise.all(features.map(revisionsOf));
    return revisions.reduce((sum, revision) => sum + revision, 0);
  };

  return {
    async run(load, seconds) {
      const before = await sumOfRevisions();
      wire.reset();
      wire.decide(() => ({ beforeMs: delay.least + Math.random() * delay.spread }));
      const jobs = callers.map((caller, index) => {
        const feature = features[load === "one feature" ? 0 : index] ?? "";
        return perform(caller, { feature, seconds });
      });
      const run = toRun(await Promise.all(jobs), seconds);
      const successes = run.perSecond * seconds;
      const calls = wire.calls.length / successes;
      const units = writeUnitsOf(wire.calls) / successes;
      wire.reset();
      const lost = Math.max(0, successes - ((await sumOfRevisions()) - before));
      return { ...run, calls, units, lost };
    },
    stop() {
      for (const caller of callers) caller.kill();
      wire.close();
    },
  };
}

/** A write that fails its condition costs as much as a write of the environment, which engines do not report. */
function writeUnitsOf(calls: readonly Call[]): number {
  const units = calls.filter(({ operation }) => operation === "UpdateItem").map((call) => call.units);
  const most = Math.max(...units);
  return units.reduce((sum, each) => sum + (each || most), 0);
}

async function perform(caller: ChildProcess, job: Job): Promise<Looped> {
  const done = once(caller, "message");
  caller.send(job);
  const [looped] = await done;
  return looped;
}
