/** Finds what is wrong with the changes that are stored and listed. */
import { isDeepStrictEqual } from "node:util";
import { limits } from "../../../lib/contract/limits.ts";
import { topAfterUndo } from "../../../lib/features/history/top.ts";
import type { EnvironmentChange } from "../../../lib/features/model.ts";
import { type ChangeItem, isMarkItem, type MarkItem } from "../../../lib/store/items/items.ts";
import { fromStoredChange } from "../../../lib/store/items/stored-content.ts";
import { feature } from "../scenarios/requests.ts";
import type { Intent } from "../world/intent.ts";
import { contentOf, type Environment, tracesOf } from "./environment.ts";
import { type Ledger, type MadeChange, type Start, whichHold } from "./ledger.ts";

export type ChangeOrMarkItem = ChangeItem | MarkItem;

/** The name by which the ledger knows an environment, and with an id a change in it. */
export const placeOf = ({ environment, uid }: { environment: string; uid: string }) =>
  `FEATURE#${feature} ENVIRONMENT#${environment} ${uid}`;

/** The key of the change that the item stores, or beside which the mark is. */
export function changeKeyOf({ pk, sk, environment }: ChangeOrMarkItem): string {
  const [uid = ""] = sk.split("#");
  return `${placeOf({ environment, uid })} ${pk.slice("CHANGE#".length)}`;
}

/** An item is there only of a change that was made, as it was made; a mark only of one that was undone. Neither changes. */
export function wrongItem(
  { changes }: Ledger,
  was: ChangeOrMarkItem | undefined,
  is: ChangeOrMarkItem,
): string[] {
  const id = changeKeyOf(is);
  const made = changes[id]?.change;
  const wrong = was && !isDeepStrictEqual(was, is) ? [`changed ${is.pk} ${is.sk}`] : [];
  if (!made) return [...wrong, `stored the change ${id}, which was not made`];
  if (!isMarkItem(is)) {
    return isDeepStrictEqual(fromStoredChange(is.change), made)
      ? wrong
      : [...wrong, `stored another change ${id} than was made`];
  }
  const [environment] = id.split(` ${made.id}`);
  const undo = changes[`${environment} ${is.undoneBy}`]?.change;
  const isOfRevision = is.sk.endsWith(`#${made.revision}`);
  if (isOfRevision && isDeepStrictEqual(undo?.undoes, { id: made.id, revision: made.revision })) return wrong;
  return [...wrong, `marked ${id} as undone by ${is.undoneBy}, which it is not`];
}

/** A change is an item before its environment drops it; and if it is an undo, what it has undone is marked. */
export function wrongDrop(
  { changeItems, marked }: Ledger,
  { id, undoes }: EnvironmentChange,
  environment: string,
): string[] {
  const wrong = changeItems[`${environment} ${id}`]
    ? []
    : [`dropped the change ${id}, which is no change item`];
  if (!undoes || marked[`${environment} ${undoes.id}`] === id) return wrong;
  return [...wrong, `dropped the undo ${id}, and ${undoes.id} is not marked as undone`];
}

/** An undo takes away its change, and nothing else. */
export function wrongUndo(
  { changes }: Ledger,
  id: string,
  was: Environment,
  is: Environment,
  trips?: string,
): string[] {
  const { environment, carriedNewest: last, top } = is;
  const { change, before, after }: Partial<MadeChange> = changes[`${placeOf(is)} ${id}`] ?? {};
  return whichHold({
    [`undid ${last?.undoes?.id} in place of ${id}`]: last?.undoes?.id !== id,
    [`made of ${environment} another content than that before the change`]: !isDeepStrictEqual(
      contentOf(is),
      before,
    ),
    [`left ${top?.id} in effect in ${environment}, in place of what was before the change`]:
      !isDeepStrictEqual(top, topAfterUndo(was.top, change?.oldTop ?? null, trips)),
    [`took away what was changed in ${environment} since: ${tracesOf(was)}`]: !isDeepStrictEqual(
      contentOf(was),
      after,
    ),
  });
}

/** A trip undoes what is on top, under its guard and in its time; after it, nothing older. */
export function wrongTrip(
  ledger: Ledger,
  { trips = "" }: Intent,
  was: Environment,
  is: Environment,
): string[] {
  const { undoes: undone, writtenAt = "" } = is.carriedNewest ?? {};
  const { guard } = was.top ?? {};
  const wrong = whichHold({
    [`undid ${undone?.id}, which is not under ${trips}`]: guard?.name !== trips,
    [`undid ${undone?.id} after its time`]: guard !== undefined && writtenAt >= guard.until,
    [`undid ${undone?.id}, which is older than what a trip has undone`]: ledger.tripped[placeOf(is)]?.some(
      (revision) => revision > (undone?.revision ?? 0),
    ),
  });
  return [...wrong, ...wrongUndo(ledger, was.top?.id ?? "", was, is, trips)];
}

/** Whether a trip has undone what was made after this revision in an environment of this name. */
export function isTrippedAbove({ tripped }: Ledger, environment: string, revision: number): boolean {
  return Object.entries(tripped).some(
    ([place, revisions]) =>
      place.includes(` ENVIRONMENT#${environment} `) && revisions.some((one) => one > revision),
  );
}

export interface Listed {
  id: string;
  environments: { environment: string; undoneBy?: string }[];
}

/** The list has the newest changes of each environment, as many as there are, without a gap, and names real undos. */
export function wrongList(
  { changes }: Ledger,
  revisions: Start["revisions"] = {},
  listed: readonly Listed[] = [],
): string[] {
  const made = Object.entries(changes);
  const find = (environment: string, id: string) =>
    made.find(([key]) => key.includes(` ENVIRONMENT#${environment} `) && key.endsWith(` ${id}`))?.[1].change;
  return Object.entries(revisions).flatMap(([environment, least]) => {
    const ofEnvironment = listed.flatMap(({ id, environments }) =>
      environments.filter((one) => one.environment === environment).map(({ undoneBy }) => ({ id, undoneBy })),
    );
    const found = ofEnvironment.map(({ id }) => find(environment, id));
    // Over several environments the list is in the order of times.
    if (Object.keys(revisions).length > 1)
      found.sort((left, right) => (right?.revision ?? 0) - (left?.revision ?? 0));
    const [newest, ...older] = found;
    const most = Math.min(limits.listedChanges, least - 1);
    const wrong = whichHold({
      "a change that was not made": found.includes(undefined),
      "another change than the newest": (newest?.revision ?? 1) < least,
      "a gap": older.some((change, index) => change?.revision !== (found[index]?.revision ?? 0) - 1),
      "too few changes": found.length < most,
      "an undo that was not made": ofEnvironment.some(
        ({ id, undoneBy }) => undoneBy !== undefined && find(environment, undoneBy)?.undoes?.id !== id,
      ),
    });
    return wrong.map((what) => `received ${what} in the list of ${environment}`);
  });
}

/** After a lost response the environment is as it is now: others may have switched it again since the request's own change. */
export function isSwitchedSince(
  { changes, effects }: Ledger,
  intent: string,
  { environment, enabled }: { environment: string; enabled: boolean },
): boolean {
  const own = effects.find((effect) => effect.intent === intent && effect.environment === environment);
  return Object.entries(changes).some(([key, { change, after }]) => {
    const isLater = own !== undefined && change.revision > own.revision + 1;
    return isLater && key.includes(` ENVIRONMENT#${environment} `) && after?.enabled === enabled;
  });
}

/** Whether some environment has this undo of the change. */
export function isUndoOf({ changes }: Ledger, undo: string, id: string | undefined): boolean {
  return Object.values(changes).some(({ change }) => change.id === undo && change.undoes?.id === id);
}

/** Whether the change was undone in an environment of this name. */
export function isUndoneIn({ changes }: Ledger, environment: string, id: string): boolean {
  return Object.entries(changes).some(
    ([place, { change }]) => place.includes(` ENVIRONMENT#${environment} `) && change.undoes?.id === id,
  );
}
