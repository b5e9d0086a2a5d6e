/** Identifies equal worlds: the same schedules can follow each. */
import { isOutcomeUnknown } from "../../../infra/clients/api/error-codes.ts";
import { environmentTableKey } from "../../../lib/store/items/items.ts";
import type { Ledger } from "../checks/ledger.ts";
import { digest, digestOf, digestOfCall, digestOfTable, inOrder, rememberedBy } from "./digest.ts";
import type { Local } from "./history.ts";
import { type Attempt, outcomeIn } from "./intent.ts";
import type { Stray, World } from "./world.ts";

/** The table, the history of each process, what is on its way, and what the checks have to remember. */
export function stateOf({ table, locals, seen, strays, ledger }: World): string {
  return digest([
    digestOfTable(table),
    locals.map((local) => (local.isDone && local.calls.length === 0 ? digestOfReplies(local) : local.id)),
    Object.entries(seen).map(([call, items]) => [call, items.map(digestOf)]),
    digestOfStrays(strays),
    effectsIn(ledger),
    locals.flatMap(({ attempts }) =>
      attempts.filter(({ reply }) => !reply).map((one) => readBy(one, ledger)),
    ),
    strays.map(({ attempt }) => readBy(attempt, ledger)).sort(),
  ]);
}

/** What is compared with what an attempt writes, and with its response: how it began, and what was made since it read. */
function readBy({ name }: Attempt, { lives, reads, starts }: Ledger): string {
  const read = reads[name];
  const made = Object.keys(lives).filter((tableKey) => (lives[tableKey] ?? 0) > (read ?? 0));
  return JSON.stringify([name, starts[name], read !== undefined && made.sort()]);
}

/** In one environment the revisions show the order; between environments it has no meaning. */
const effectsIn = rememberedBy(({ effects, lives }: Ledger) => {
  const texts = effects.map(({ life, ...effect }) => {
    const { sk } = environmentTableKey("", effect.environment);
    const current = Object.entries(lives).find(([tableKey]) => tableKey.endsWith(` ${sk}`));
    return Object.values({ ...effect, life: life === current?.[1] ? "now" : life }).join();
  });
  return texts.sort();
});

const digestOfReplies = rememberedBy((local: Local) => digest(repliesTo(local)));
const digestOfStrays = rememberedBy((strays: readonly Stray[]) =>
  digest(
    strays
      .map(({ call, attempt, seen: put }) => [attempt.name, digestOfCall(call), put.length].join(" "))
      .sort(),
  ),
);

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
