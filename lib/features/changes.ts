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
  const byId = new Map<string, ListedChange>();
  for (const state of states) {
    for (const { change, inEnvironment } of describeChanges(state, form)) {
      const { id, by, at, undoes } = change;
      const listed = byId.get(id) ?? { id, by, at, ...(undoes && { undoes }), environments: [] };
      listed.environments.push(inEnvironment);
      byId.set(id, listed);
    }
  }
  const changes = [...byId.values()].sort((left, right) =>
    left.at < right.at ? 1 : left.at > right.at ? -1 : 0,
  );
  return { changes, etag: featureEtag(states) };
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
export function isUndone(kept: readonly Change[], { id }: Change): boolean {
  return undoneChanges(kept).has(id);
}

/** The newest that was not undone, and is no undo itself. */
export function effectiveChange(kept: readonly Change[]): Change | undefined {
  const undone = undoneChanges(kept);
  return kept.find(({ id, undoes }) => !undone.has(id) && undoes === undefined);
}

/** From the newest: an undo that was undone itself undoes nothing. */
function undoneChanges(kept: readonly Change[]): ReadonlySet<string> {
  const undone = new Set<string>();
  for (const { id, undoes } of kept) if (undoes !== undefined && !undone.has(id)) undone.add(undoes);
  return undone;
}
