/** Lists the newest changes of a feature's environments, with what each did. */
import type { ChangeInEnvironment } from "../contract/responses.ts";
import type { Change, EnvironmentContent, EnvironmentState, States } from "./model.ts";
import { canUndo } from "./plan-undo.ts";
import { variantDifference } from "./variant-diff.ts";

export function listChanges(states: States, newest: readonly (readonly Change[])[]) {
  const described = states.map((state, index) => describeChanges(state, newest[index] ?? []));
  return inOrder(newest).map(({ id, by, at, reason, undoes }) => {
    const environments = described.flatMap((ofEnvironment) => ofEnvironment.get(id) ?? []);
    return { id, by, at, reason: reason || undefined, undoes: undoes?.id, environments };
  });
}

/** A change led from the content before it to that before the next one. Its undo is newer, so it comes first. */
function describeChanges(
  state: EnvironmentState,
  newest: readonly Change[],
): ReadonlyMap<string, ChangeInEnvironment> {
  const { environment } = state;
  const described = new Map<string, ChangeInEnvironment>();
  const undos = new Map<number, string>();
  let after: EnvironmentContent = state;
  for (const change of newest) {
    const { id, revision, undoes, oldVariants, oldEnabled } = change;
    const undoneBy = undos.get(revision);
    if (undoes) undos.set(undoes.revision, id);
    described.set(id, {
      environment,
      changes: variantDifference(oldVariants, after.variants),
      ...(oldEnabled !== after.enabled && { enabled: after.enabled }),
      canUndo: canUndo(change, state),
      ...(undoneBy !== undefined && { undoneBy }),
    });
    after = { enabled: oldEnabled, variants: oldVariants };
  }
  return described;
}

/**
 * Keeps the order of each list: the writes of an environment need not have the order of their times. Between
 * environments times decide.
 */
function inOrder(lists: readonly (readonly Change[])[]): Change[] {
  const merged = new Map<string, Change>();
  const holders = new Map<string, number>();
  for (const list of lists) {
    for (const id of new Set(list.map((change) => change.id))) holders.set(id, (holders.get(id) ?? 0) + 1);
  }
  // The newest is the last: taking one away does not copy the others.
  const rest = lists.map((list) => list.toReversed());
  for (;;) {
    const newest = rest.flatMap((list) => withoutMerged(list, merged).at(-1) ?? []);
    newest.sort((left, right) => right.at.localeCompare(left.at));
    const isNewestOfAll = ({ id }: Change) =>
      newest.filter((one) => one.id === id).length === holders.get(id);
    // Two environments may have two changes in opposite orders: the later one comes first.
    const next = newest.find(isNewestOfAll) ?? newest[0];
    if (!next) return [...merged.values()];
    merged.set(next.id, next);
  }
}

/** Removes the last changes of a list as far as they are merged. */
function withoutMerged(list: Change[], merged: ReadonlyMap<string, Change>): Change[] {
  while (merged.has(list.at(-1)?.id ?? "")) list.pop();
  return list;
}
