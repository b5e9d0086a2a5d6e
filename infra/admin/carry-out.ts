/** Carries a plan out, or shows what it would come to. */
import type { Session } from "../../lib/store/session.ts";
import type { Options } from "./command.ts";
import type { Plan } from "./plan/changes.ts";
import { type Described, describe, format } from "./plan/describe.ts";
import { makeChanges } from "./plan/make-changes.ts";
import { print, printJson } from "./terminal/output.ts";
import { createProgress } from "./terminal/progress.ts";

export interface DryRunOptions extends Options {
  dryRun?: boolean;
}

export async function carryOut(
  session: Session,
  plan: Plan,
  { dryRun = false, json = false }: DryRunOptions,
  more: object = {},
): Promise<void> {
  const changes = plan.changes.map(describe);
  if (!dryRun) await make(session, plan);
  if (json) return printJson({ dryRun, ...count(changes), unchanged: plan.unchanged, changes, ...more });
  if (dryRun) for (const change of changes) print(format(change));
  print(summarize(changes, plan.unchanged, dryRun));
}

async function make(session: Session, { changes }: Plan): Promise<void> {
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
  const done = `${created} created, ${updated} updated, ${removed} removed, ${unchanged} as they were`;
  return dryRun ? `Nothing was changed. It would be: ${done}.` : `${done}.`;
}
