/** Lists the newest changes of a feature's environments, with what each did. */
import type { ChangeInEnvironment } from "../contract/responses.ts";
import type { Change, EnvironmentState, States } from "./feature.ts";
import { canUndo } from "./plan-undo.ts";
import { variantDifference } from "./variant-diff.ts";

export function listChanges(states: States, newest: readonly (readonly Change[])[]) {
  const described = states.map((state, index) => describeChanges(states, state, newest[index] ?? []));
  return inOrder(newest).map(({ id, by, at, reason, undoes }) => {
    const environments = described.flatMap((ofEnvironment) => ofEnvironment.get(id) ?? []);
    return { id, by, at, reason: reason || undefined, undoes: undoes?.id, environments };
  });
}

/** A change led from the variants before it to those before the next one. Its undo is newer, so it comes first. */
function describeChanges(
  states: States,
  state: EnvironmentState,
  newest: readonly Change[],
): ReadonlyMap<string, ChangeInEnvironment> {
  const { environment } = state;
  const described = new Map<string, ChangeInEnvironment>();
  const undos = new Map<number, string>();
  let after = state.variants;
  for (const change of newest) {
    const { id, revision, undoes, oldVariants } = change;
    const undoneBy = undos.get(revision);
    if (undoes) undos.set(undoes.revision, id);
    described.set(id, {
      environment,
      changes: variantDifference(oldVariants, after),
      canUndo: canUndo(change, state, states),
      ...(undoneBy !== undefined && { undoneBy }),
    });
    after = oldVariants;
  }
  return described;
}

/**
 * Keeps the order of each list: the writes of an environment need not have the order of their times. Between
 * environments times decide.
 */
function inOrder(lists: readonly (readonly Change[])[]): Change[] {
  const merged: Change[] = [];
  let rest = lists;
  for (;;) {
    const newest = rest.flatMap(([first]) => first ?? []);
    newest.sort((left, right) => right.at.localeCompare(left.at));
    const isNewestOfAll = ({ id }: Change) =>
      rest.every((list) => list.findIndex((one) => one.id === id) < 1);
    // Two environments may have two changes in opposite orders: the later one comes first.
    const next = newest.find(isNewestOfAll) ?? newest[0];
    if (!next) return merged;
    merged.push(next);
    rest = rest.map((list) => list.filter(({ id }) => id !== next.id));
  }
}
