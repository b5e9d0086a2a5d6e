/** Executes a plan, or prints what it would change. */
import type { Options } from "./command.ts";
import type { OperatorSession } from "./operator.ts";
import type { Plan } from "./plan/changes.ts";
import { type Described, describe } from "./plan/describe.ts";
import { format } from "./plan/format.ts";
import { makeChanges } from "./plan/make-changes.ts";
import { differences } from "./terminal/colour.ts";
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
  if (json) return printJson({ dryRun, ...count(changes), unchanged: plan.unchanged, changes, ...more });
  if (dryRun) for (const change of changes) print(format(change), differences);
  print(summarize(changes, plan.unchanged, dryRun));
}

async function make(session: OperatorSession, { changes }: Plan): Promise<void> {
  const progress = createProgress("Written:", changes.length);
  try {
    await makeChanges(session, changes, () => progress.reach());
  } finally {
    progress.end();
  }
}

function count(changes: readonly Described[]): Record<"created" | "updated" | "removed", number> {
  const of = (wanted: Described["action"]) => changes.filter(({ action }) => action === wanted).length;
  return { created: of("create"), updated: of("update"), removed: of("remove") };
}

function summarize(changes: readonly Described[], unchanged: number, dryRun: boolean): string {
  const { created, updated, removed } = count(changes);
  const done = `${created} created, ${updated} updated, ${removed} removed, ${unchanged} unchanged`;
  return dryRun ? `Dry run, nothing was changed: ${done}.` : `${done}.`;
}
