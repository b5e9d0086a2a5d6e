/** Identifies equal worlds: the same schedules can follow each. */
import type { Item } from "../../../infra/engine/values.ts";
import type { Table } from "../table/table.ts";
import { digest } from "./digest.ts";
import type { Local } from "./history.ts";
import { isUnsure, outcomeIn } from "./wish.ts";
import type { World } from "./world.ts";

/** The table, the history of each process, what is on its way, and what the checks have to remember. */
export function stateOf({ table, locals, seen, strays, ledger }: World): string {
  const { effects, lives, reads, starts } = ledger;
  return digest([
    contentOf(table),
    locals.map((local) => (local.isDone && local.calls.length === 0 ? repliesTo(local) : local.id)),
    Object.entries(seen).map(([call, items]) => [call, items.map(digestOf)]),
    strays.map(({ call, attempt, seen: put }) => [attempt.name, call.number, put.length]).sort(),
    // In one environment the revisions show the order; between environments it has no meaning.
    effects.map((effect) => Object.values(effect).join()).sort(),
    [lives, reads, starts].map((each) => Object.entries(each).sort()),
  ]);
}

/** What is stored, without what only retries read; and what was responded. */
export function endOf({ table, locals }: World): string {
  const places = [...table.keys()].sort();
  const members = ["project", "environments", "tags", "revision", "variants", "disabled"];
  const stored = places.map((place) => [place, members.map((name) => inOrder(table.get(place)?.[name]))]);
  return digest([stored, locals.map(repliesTo)]);
}

function repliesTo({ attempts }: Local): unknown[] {
  return attempts.map((attempt) => {
    const { name, reply, wish } = attempt;
    const outcomes = wish?.environments?.map((environment) => outcomeIn(attempt, environment));
    return [name, reply?.status, outcomes, isUnsure(reply?.json?.message)];
  });
}

const digests = new WeakMap<Item, string>();

function digestOf(item: Item): string {
  const known = digests.get(item) ?? digest(inOrder(item));
  digests.set(item, known);
  return known;
}

const contents = new WeakMap<Table, string>();

function contentOf(table: Table): string {
  const known = contents.get(table) ?? digest([...table.values()].map(digestOf).sort());
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
