/** Lists the changes that the environments of a feature keep, with what each did. */
import { limits } from "../contract/limits.ts";
import type { ChangeInEnvironment, ListedChange } from "../contract/responses.ts";
import type { VariantForm } from "../contract/variants.ts";
import { isUndoable, latestTime } from "./changes.ts";
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
  const changes = inOrder(states.map((state) => newestOf(state))).map((change): ListedChange => {
    const { id, by, at, reason, undoes } = change;
    return {
      ...{ id, by, at },
      ...(reason !== undefined && { reason }),
      ...(undoes !== undefined && { undoes }),
      environments: described.flatMap((byId) => byId.get(id) ?? []),
    };
  });
  const missing = states.map(({ droppedUntil, changes }) =>
    latestTime(droppedUntil, changes.slice(limits.changes)),
  );
  const droppedUntil = missing
    .filter((time) => time !== undefined)
    .sort()
    .at(-1);
  return { changes, ...(droppedUntil !== undefined && { droppedUntil }) };
}

function newestOf({ changes }: EnvironmentState): readonly Change[] {
  return changes.slice(0, limits.changes);
}

/** What each change did, by its id. Before a change without its way back nothing is known of the variants. */
function describeChanges(
  state: EnvironmentState,
  form: VariantForm,
): ReadonlyMap<string, ChangeInEnvironment> {
  const { environment, changes: kept, variants } = state;
  const described = new Map<string, ChangeInEnvironment>();
  let after: typeof variants | undefined = variants;
  for (const change of newestOf(state)) {
    const before: typeof variants | undefined = after && change.wayBack && restore(after, change.wayBack);
    const canUndo = before !== undefined && isUndoable(kept, change);
    const changes = before && after && { changes: variantChanges(before, after, form) };
    described.set(change.id, { environment, ...changes, canUndo });
    after = before;
  }
  return described;
}

/**
 * Merges lists that are newest first: keeps the order of each, as writes of one environment need not have the order of
 * their times, and goes by time between them.
 */
function inOrder(lists: readonly (readonly Change[])[]): Change[] {
  let rest = lists;
  const merged: Change[] = [];
  for (;;) {
    const heads = rest.flatMap(([head]) => head ?? []);
    const isHead = ({ id }: Change) => rest.every((list) => list.findIndex((one) => one.id === id) < 1);
    // Two changes may have reached two environments in different orders: then no head is first in all of its lists.
    const free = heads.some(isHead) ? heads.filter(isHead) : heads;
    const [next] = free.toSorted((left, right) => Date.parse(right.at) - Date.parse(left.at));
    if (!next) return merged;
    merged.push(next);
    rest = rest.map((list) => list.filter(({ id }) => id !== next.id));
  }
}
