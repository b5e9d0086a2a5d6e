/** Lists the changes that the environments of a feature keep, with what each did. */
import type { ChangeInEnvironment } from "../contract/responses.ts";
import type { Variant, VariantForm } from "../contract/variants.ts";
import { isUndoable, latestTime, listedChanges } from "./changes.ts";
import type { Change, EnvironmentState, States } from "./feature.ts";
import { restore, variantChanges } from "./variant-diff.ts";

/** Newest first. Changes up to `droppedUntil` may be missing. */
export function listChanges(states: States, form: VariantForm) {
  const lists = states.map((state) => {
    const listed = listedChanges(state.changes);
    const missing = latestTime(state.droppedUntil, state.changes.slice(listed.length), listed);
    return { listed, missing, described: describeChanges(state, listed, form) };
  });
  const merged = inOrder(lists.map(({ listed }) => listed));
  const changes = merged.map(({ id, by, at, reason, undoes }) => {
    const environments = lists.flatMap(({ described }) => described.get(id) ?? []);
    return { id, by, at, reason, undoes, environments };
  });
  const missing = lists.flatMap(({ missing }) => missing ?? []);
  return { changes, droppedUntil: missing.sort().at(-1) };
}

/** What each change did, by its id. Before a change without its way back nothing is known of the variants. */
function describeChanges(
  { environment, changes: kept, variants }: EnvironmentState,
  listed: readonly Change[],
  form: VariantForm,
): ReadonlyMap<string, ChangeInEnvironment> {
  const described = new Map<string, ChangeInEnvironment>();
  let after: Variant[] | undefined = variants;
  for (const change of listed) {
    const before: Variant[] | undefined = after && change.wayBack && restore(after, change.wayBack);
    const canUndo = before !== undefined && isUndoable(kept, change);
    const changes = before && after && { changes: variantChanges(before, after, form) };
    described.set(change.id, { environment, ...changes, canUndo });
    after = before;
  }
  return described;
}

/**
 * Merges lists that are newest first. The order of each stays, as the writes of an environment need not have the order of
 * their times; between environments times decide.
 */
function inOrder(lists: readonly (readonly Change[])[]): Change[] {
  const merged: Change[] = [];
  let rest = lists;
  for (;;) {
    const newest = rest.flatMap(([first]) => first ?? []);
    newest.sort((left, right) => right.at.localeCompare(left.at));
    const isNewestOfAll = ({ id }: Change) =>
      rest.every((list) => list.findIndex((one) => one.id === id) < 1);
    // Two changes may have been written in opposite orders in two environments: then the later one comes first.
    const next = newest.find(isNewestOfAll) ?? newest[0];
    if (!next) return merged;
    merged.push(next);
    rest = rest.map((list) => list.filter(({ id }) => id !== next.id));
  }
}
