/** Lists the changes that the environments of a feature keep, with what each did. */
import type { ChangeInEnvironment, ListedChange } from "../contract/responses.ts";
import type { VariantForm } from "../contract/variants.ts";
import { isUndoable, latestTime, listedChanges } from "./changes.ts";
import type { Change, EnvironmentState } from "./feature.ts";
import { restore, variantChanges } from "./variant-diff.ts";

interface Listed {
  /** Newest first. */
  changes: ListedChange[];
  /** Changes up to this time may be missing. */
  droppedUntil?: string;
}

export function listChanges(states: readonly EnvironmentState[], form: VariantForm): Listed {
  const described = states.map((state) => describeChanges(state, form));
  const changes = inOrder(states.map((state) => listedChanges(state.changes))).map((change): ListedChange => {
    const { id, by, at, reason, undoes } = change;
    return {
      ...{ id, by, at },
      ...(reason !== undefined && { reason }),
      ...(undoes !== undefined && { undoes }),
      environments: described.flatMap((byId) => byId.get(id) ?? []),
    };
  });
  const missing = states.map(({ droppedUntil, changes }) =>
    latestTime(droppedUntil, changes.slice(listedChanges(changes).length), listedChanges(changes)),
  );
  const droppedUntil = missing
    .filter((time) => time !== undefined)
    .sort()
    .at(-1);
  return { changes, ...(droppedUntil !== undefined && { droppedUntil }) };
}

/** What each change did, by its id. Before a change without its way back nothing is known of the variants. */
function describeChanges(
  state: EnvironmentState,
  form: VariantForm,
): ReadonlyMap<string, ChangeInEnvironment> {
  const { environment, changes: kept, variants } = state;
  const described = new Map<string, ChangeInEnvironment>();
  let after: typeof variants | undefined = variants;
  for (const change of listedChanges(state.changes)) {
    const before: typeof variants | undefined = after && change.wayBack && restore(after, change.wayBack);
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
  const newestFirst = lists.flat().sort((left, right) => Date.parse(right.at) - Date.parse(left.at));
  const rest = new Map(newestFirst.map((change) => [change.id, change]));
  const olderThan = new Map<string, string[]>();
  const newerCount = new Map<string, number>();
  for (const list of lists) {
    for (const [index, { id }] of list.slice(1).entries()) {
      const newer = list[index]?.id ?? "";
      olderThan.set(newer, [...(olderThan.get(newer) ?? []), id]);
      newerCount.set(id, (newerCount.get(id) ?? 0) + 1);
    }
  }
  const merged: Change[] = [];
  while (rest.size > 0) {
    const left = [...rest.values()];
    // Two changes may have been written in opposite orders in two environments: then the later one comes first.
    const next = left.find(({ id }) => !newerCount.get(id)) ?? left[0];
    if (!next) break;
    rest.delete(next.id);
    merged.push(next);
    for (const id of olderThan.get(next.id) ?? []) newerCount.set(id, (newerCount.get(id) ?? 0) - 1);
  }
  return merged;
}
