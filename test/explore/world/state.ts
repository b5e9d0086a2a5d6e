/** Identifies equal worlds: the same schedules can follow each. */
import { isOutcomeUnknown } from "../../../infra/clients/api/error-codes.ts";
import type { Effect } from "../checks/ledger.ts";
import { digest, digestOf, digestOfCall, digestOfTable, inOrder, rememberedBy } from "./digest.ts";
import type { Local } from "./history.ts";
import { outcomeIn } from "./intent.ts";
import type { Stray, World } from "./world.ts";

/** The table, the history of each process, what is on its way, and what the checks have to remember. */
export function stateOf({ table, locals, seen, strays, ledger }: World): string {
  const { effects, lives, reads, starts } = ledger;
  return digest([
    digestOfTable(table),
    locals.map((local) => (local.isDone && local.calls.length === 0 ? digestOfReplies(local) : local.id)),
    Object.entries(seen).map(([call, items]) => [call, items.map(digestOf)]),
    digestOfStrays(strays),
    digestOfEffects(effects),
    [lives, reads, starts].map(digestOfEntries),
  ]);
}

const digestOfReplies = rememberedBy((local: Local) => digest(repliesTo(local)));
const digestOfStrays = rememberedBy((strays: readonly Stray[]) =>
  digest(
    strays
      .map(({ call, attempt, seen: put }) => [attempt.name, digestOfCall(call), put.length].join(" "))
      .sort(),
  ),
);
// In one environment the revisions show the order; between environments it has no meaning.
const digestOfEffects = rememberedBy((effects: readonly Effect[]) =>
  digest(effects.map((effect) => Object.values(effect).join()).sort()),
);
const digestOfEntries = rememberedBy((each: object) => digest(Object.entries(each).sort()));

/** What is stored, without what only retries read; and what was responded. */
export function endOf({ table, locals }: World): string {
  const places = [...table.keys()].sort();
  const members = ["project", "environments", "tags", "revision", "variants", "disabled"];
  const stored = places.map((place) => [place, members.map((name) => inOrder(table.get(place)?.[name]))]);
  return digest([stored, locals.map(repliesTo)]);
}

function repliesTo({ attempts }: Local): unknown[] {
  return attempts.map((attempt) => {
    const { name, reply, intent } = attempt;
    const outcomes = intent?.environments?.map((environment) => outcomeIn(attempt, environment));
    return [name, reply?.status, outcomes, isOutcomeUnknown(reply?.json?.code)];
  });
}
