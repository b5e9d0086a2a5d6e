/** Identifies equal worlds: the same schedules can follow each. */
import type { Table } from "../table/table.ts";
import type { Item } from "../table/values.ts";
import { digest, timelessDigest } from "./digest.ts";
import type { Local } from "./history.ts";
import { isUnsure, outcomeIn } from "./wish.ts";
import type { Budget, World } from "./world.ts";

/** The table, the history of each process, what is on its way, and what the checks have to remember. */
export function stateOf(
  { table, locals, seen, strays, ledger, last }: World,
  countsPreemptions: boolean,
): string {
  const { effects, lives, reads, starts } = ledger;
  return digest([
    contentOf(table),
    locals.map((local) => (local.isDone && local.calls.length === 0 ? repliesTo(local) : local.id)),
    Object.entries(seen).map(([call, items]) => [call, items.map(digestOf)]),
    strays.map(({ call, attempt, seen }) => [attempt.name, call.number, seen.length]).sort(),
    // In one environment the revisions show the order; between environments it has no meaning.
    effects.map((effect) => Object.values(effect).join()).sort(),
    [lives, reads, starts].map((each) => Object.entries(each).sort()),
    // Leaving a process that could proceed is a preemption.
    countsPreemptions && last !== undefined && !locals[last]?.isDone ? last : undefined,
  ]);
}

/** What is stored, without what only retries and turns read; and what was responded. */
export function endOf({ table, locals }: World): string {
  const items = table
    .partitions()
    .flatMap((pk) => table.sortKeys(pk).map((sk) => ({ pk, sk })))
    .filter(({ sk }) => !sk.startsWith("QUEUE#"))
    .map((key) => table.get(key) ?? {});
  const members = ["sk", "project", "environments", "tags", "revision", "variants", "disabled"];
  const stored = items.map((item) => members.map((name) => inOrder(item[name])));
  return digest([stored, locals.map(repliesTo)]);
}

function repliesTo({ attempts }: Local): unknown[] {
  return attempts.map((attempt) => {
    const { name, reply, wish } = attempt;
    const outcomes = wish?.environments?.map((environment) => outcomeIn(attempt, environment));
    return [name, reply?.status, outcomes, isUnsure(reply?.json?.message)];
  });
}

/** Whether this state was continued from before, with at least as much left of the bounds. */
export function isKnown(known: Map<string, Budget[]>, state: string, left: Budget): boolean {
  const budgets = known.get(state);
  if (!budgets) {
    known.set(state, [left]);
    return false;
  }
  const { faults, preemptions } = left;
  if (budgets.some((budget) => budget.faults >= faults && budget.preemptions >= preemptions)) return true;
  budgets.push(left);
  return false;
}

const digests = new WeakMap<Item, string>();

function digestOf(item: Item | undefined): string {
  if (!item) return "";
  const known = digests.get(item) ?? timelessDigest(inOrder(item));
  digests.set(item, known);
  return known;
}

const contents = new WeakMap<Table, string>();

function contentOf(table: Table): string {
  const known =
    contents.get(table) ??
    digest(
      table.partitions().flatMap((pk) => table.sortKeys(pk).map((sk) => digestOf(table.get({ pk, sk })))),
    );
  contents.set(table, known);
  return known;
}

/** The order of a map's members means nothing. */
function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder);
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return members.map(([name, inner]) => [name, inOrder(inner)]);
}
