/** Writes the content that a command wants the table to have, or finds what would be written. */
import type { Omissions } from "../../../../lib/documents/omissions.ts";
import type { Session } from "../../../../lib/store/dynamodb/session.ts";
import { ConcurrentChange } from "../../../../lib/store/replace-item.ts";
import { requireConfirmation } from "../../../cli/confirm.ts";
import { print, printJson } from "../../../cli/output.ts";
import { Refusal } from "../../../cli/refusal.ts";
import { nameOfTwo, type TableContent } from "../../../store/content.ts";
import { readApiKeys } from "../../../store/read-content.ts";
import type { CommandOptions } from "../command.ts";
import { formatLeftOut } from "../words/left-out.ts";
import { readAll } from "./find.ts";
import { applyPlan } from "./plan/apply-plan.ts";
import { describeSorting } from "./plan/describe-sorting.ts";
import {
  type ConsentOptions,
  formatWrite,
  kinds,
  needsConsent,
  type PlannedWrite,
  planWrites,
} from "./plan/plan-writes.ts";
import { createReplan, requireConsistent, type ToWanted } from "./plan/replan.ts";
import { weightHints } from "./plan/weight-hints.ts";
import type { OperatorSession } from "./with-table.ts";

export interface ApplyResult {
  /** What was written or, in a dry run, what would be. */
  writes: readonly PlannedWrite[];
  unchanged: number;
  /** Says which users move because variants are stored in the API's order. */
  sorting?: string | undefined;
}

type ApplyOptions = CommandOptions & ConsentOptions;

/** Prints each write. `read` reads as much of the content as `toWanted` is about. */
export async function applyContent(
  session: OperatorSession,
  options: ApplyOptions,
  toWanted: ToWanted,
  read: (session: Session) => Promise<TableContent> = readAll,
): Promise<ApplyResult> {
  const now = await read(session);
  const wanted = toWanted(now);
  requireConsistent(now, wanted, "nothing was changed, because ");
  const planned = planWrites(now, wanted);
  const show = (write: PlannedWrite) => {
    if (!options.json) print(formatWrite(write));
  };
  const sorting = describeSorting(wanted.sorted ?? [], planned.writes);
  if (sorting !== undefined && !options.json) print(sorting);
  if (options.dryRun) {
    planned.writes.forEach(show);
    return { ...planned, sorting };
  }
  const replan = createReplan(now, toWanted, await confirmWrites(planned.writes, options));
  const writes: PlannedWrite[] = [];
  await applyPlan(session, planned.writes, replan, (write) => {
    writes.push(write);
    show(write);
  });
  await requireOneKeyEach(session, planned.writes);
  return { writes, unchanged: planned.unchanged + planned.writes.length - writes.length, sorting };
}

/** Prints how much was written, hints, and what was left out. `more` is printed with --json. */
export function printOutcome(
  { dryRun = false, json }: CommandOptions,
  { writes, unchanged, sorting }: ApplyResult,
  omissions?: Omissions,
  more: object = {},
): void {
  const count = (wanted: PlannedWrite["action"]) => writes.filter(({ action }) => action === wanted).length;
  const [created, updated, removed] = [count("create"), count("update"), count("remove")];
  const leftOut = omissions?.list();
  const hints = weightHints(writes);
  if (json) {
    const changes = writes.map(({ id, before, after, ...write }) => write);
    printJson({ dryRun, created, updated, removed, unchanged, changes, sorting, hints, leftOut, ...more });
    return;
  }
  const done = `${created} created, ${updated} updated, ${removed} removed, ${unchanged} unchanged.`;
  print(dryRun ? `Dry run, nothing was changed: ${done}` : done);
  if (hints.length > 0) print(formatLeftOut(hints, "stored as given"));
  if (leftOut) print(formatLeftOut(leftOut));
}

/** Asks, and returns whether the answer covers a write. */
async function confirmWrites(
  planned: readonly PlannedWrite[],
  options: ApplyOptions,
): Promise<(write: PlannedWrite) => boolean> {
  const asked = planned.filter((write) => needsConsent(write, options)).map(formatWrite);
  const confirmation = { yes: options.yes, what: asked.join("\n") };
  if (asked.length > 0) await requireConfirmation("Remove, empty, revoke or switch these?", confirmation);
  return (write) => options.yes || !needsConsent(write, options) || asked.includes(formatWrite(write));
}

/** A concurrent command may have made a key of the same name: two current keys share none. */
async function requireOneKeyEach(session: Session, writes: readonly PlannedWrite[]): Promise<void> {
  const names = new Set(writes.flatMap(({ kind, name, after }) => (kind === "apiKey" && after ? name : [])));
  if (names.size === 0) return;
  const twice = nameOfTwo((await readApiKeys(session)).filter(({ name }) => names.has(name)));
  if (twice !== undefined) throw new Refusal(`${kinds.apiKey} "${twice}": ${new ConcurrentChange().message}`);
}
