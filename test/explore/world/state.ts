/** Identifies equal worlds: the same schedules can follow each. */
import { isOutcomeUnknown } from "../../../infra/clients/api/error-codes.ts";
import { environmentTableKey } from "../../../lib/store/items/items.ts";
import { contentAttributes } from "../../../lib/store/items/stored-content.ts";
import type { Ledger } from "../checks/ledger.ts";
import { digest, digestOf, digestOfCall, digestOfTable, inOrder, rememberedBy } from "./digest.ts";
import type { Local } from "./history.ts";
import { type Attempt, outcomeIn } from "./intent.ts";
import type { Stray, World } from "./world.ts";

/** Returns a digest of the table, the history of each process, what is on its way, and what the checks have to remember. */
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

/**
 * Returns how an attempt began, and which environments were created after it has read: the checks compare its writes and
 * its response with these.
 */
function readBy({ name }: Attempt, { lives, reads, starts }: Ledger): string {
  const read = reads[name];
  const created = Object.keys(lives).filter((tableKey) => (lives[tableKey] ?? 0) > (read ?? 0));
  return JSON.stringify([name, starts[name], read !== undefined && created.sort()]);
}

/** Sorted, because the order of writes matters only within an environment, where revisions show it. */
const effectsIn = rememberedBy(({ effects, lives }: Ledger) => {
  const texts = effects.map(({ life, ...effect }) => {
    const { sk } = environmentTableKey("", effect.environment);
    const current = Object.entries(lives).find(([tableKey]) => tableKey.endsWith(` ${sk}`));
    return [...Object.values(effect), life === current?.[1] ? "current" : life].join();
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

/** Returns a digest of what is stored and what was responded, without what only retries read. */
export function endOf({ table, locals }: World): string {
  const places = [...table.keys()].sort();
  const ofItems = ["project", "environments", "tags", "revision", "disabled"];
  const members = [...ofItems, ...contentAttributes];
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
