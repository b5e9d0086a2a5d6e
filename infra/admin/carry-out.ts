/** Executes a plan, or prints what it would change. */
import type { Options } from "./command.ts";
import type { OperatorSession } from "./operator.ts";
import type { Plan } from "./plan/changes.ts";
import { type Described, describe, format } from "./plan/describe.ts";
import { makeChanges } from "./plan/make-changes.ts";
import { print, printJson } from "./terminal/output.ts";
import { createProgress } from "./terminal/progress.ts";

export async function carryOut(
  session: OperatorSession,
  plan: Plan,
  { dryRun = false, json = false }: Options,
  more: object = {},
): Promise<void> {
  const changes = plan.changes.map(describe);
  if (!dryRun) await make(session, plan);
  const count = (wanted: Described["action"]) => changes.filter(({ action }) => action === wanted).length;
  const counts = { created: count("create"), updated: count("update"), removed: count("remove") };
  const { unchanged } = plan;
  if (json) return printJson({ dryRun, ...counts, unchanged, changes, ...more });
  if (dryRun) for (const change of changes) print(format(change));
  const { created, updated, removed } = counts;
  const done = `${created} created, ${updated} updated, ${removed} removed, ${unchanged} unchanged`;
  print(dryRun ? `Dry run, nothing was changed: ${done}.` : `${done}.`);
}

async function make(session: OperatorSession, { changes }: Plan): Promise<void> {
  const progress = createProgress("Written:", changes.length);
  try {
    await makeChanges(session, changes, () => progress.reach());
  } finally {
    progress.end();
  }
}
