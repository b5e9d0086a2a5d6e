/** The changes that environments keep: which are in effect, which can be undone, and what each did. */
import type { ChangeInEnvironment, ListedChange } from "../contract/responses.ts";
import type { VariantForm } from "../contract/variants.ts";
import { featureEtag } from "./etag.ts";
import type { Change, EnvironmentState, Target } from "./feature.ts";
import { readEnvironments } from "./preconditions.ts";
import type { VariantReader } from "./stores.ts";
import { variantChanges } from "./variant-diff.ts";
import { restore } from "./way-back.ts";

interface ChangeList {
  /** Newest first. */
  changes: ListedChange[];
  etag: string;
}

export async function listChanges(
  store: VariantReader,
  target: Target,
  form: VariantForm,
): Promise<ChangeList> {
  const states = await readEnvironments(store, target);
  const changes = new Map<string, ListedChange>();
  for (const state of states) {
    for (const { change, inEnvironment } of describeChanges(state, form)) {
      const { id, by, at, undoes } = change;
      const key = `${at} ${id}`;
      const listed = changes.get(key) ?? { id, by, at, ...(undoes && { undoes }), environments: [] };
      listed.environments.push(inEnvironment);
      changes.set(key, listed);
    }
  }
  const newestFirst = [...changes.values()].sort((left, right) => Date.parse(right.at) - Date.parse(left.at));
  return { changes: newestFirst, etag: featureEtag(states) };
}

/** From the newest back; before a change without its way back, nothing is known of the variants. */
function describeChanges({ environment, changes: kept, variants }: EnvironmentState, form: VariantForm) {
  let after: typeof variants | undefined = variants;
  return kept.map((change) => {
    const before: typeof variants | undefined = after && change.wayBack && restore(after, change.wayBack);
    const changes = before && after && { changes: variantChanges(before, after, form) };
    const canUndo = change.wayBack !== undefined && isUndoable(kept, change);
    after = before;
    return { change, inEnvironment: { environment, ...changes, canUndo } satisfies ChangeInEnvironment };
  });
}

/** The newest change in effect can be undone; so can the newest of all, as undoing an undo makes its change again. */
export function isUndoable(kept: readonly Change[], change: Change): boolean {
  return change === kept[0] || change === effectiveChange(kept);
}

/** Whether an undo that is in effect has undone the change. */
export function isUndone(kept: readonly Change[], change: Change): boolean {
  return undoneChanges(kept).has(change);
}

/** The newest that was not undone, and is no undo itself. */
export function effectiveChange(kept: readonly Change[]): Change | undefined {
  const undone = undoneChanges(kept);
  return kept.find((change) => !undone.has(change) && change.undoes === undefined);
}

/**
 * From the newest: an undo that was undone itself undoes nothing. Long after its record has expired, a request can be made
 * again under the same id: an undo undoes the newest change before it.
 */
function undoneChanges(kept: readonly Change[]): ReadonlySet<Change> {
  const undone = new Set<Change>();
  const sought = new Set<string | undefined>();
  for (const change of kept) {
    if (sought.delete(change.id)) undone.add(change);
    else sought.add(change.undoes);
  }
  return undone;
}
