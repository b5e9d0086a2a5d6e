/** The changes that an environment's item keeps: the newest in `changed`, older ones in `changes`. */
import type { Change, EnvironmentState } from "../features/feature.ts";
import type { EnvironmentItem } from "./items.ts";

export interface ChangeList {
  /** Newest first. */
  changes: Change[];
  droppedAt?: string;
}

/** Drops the oldest changes, as many as do not fit beside the newer ones. */
export function addChange(
  { changes, droppedAt }: Pick<EnvironmentState, "changes" | "droppedAt">,
  newest: Change,
  mostBytes: number,
): ChangeList {
  const older: Change[] = [];
  let bytes = bytesOf(newest);
  for (const change of changes) {
    bytes += bytesOf(change);
    if (bytes > mostBytes) break;
    older.push(change);
  }
  const dropped = changes.slice(older.length).map(({ at }) => at);
  const latest = [...dropped, ...(droppedAt === undefined ? [] : [droppedAt])].sort().at(-1);
  return { changes: [newest, ...older], ...(latest !== undefined && { droppedAt: latest }) };
}

/** The creation of an environment is no change of it. */
export function changesOf({ changed, changes = [] }: EnvironmentItem): Change[] {
  const { revision } = changed;
  if (revision === undefined) return [];
  const { feature: _, request: __, ...newest } = changed;
  return [{ ...newest, revision }, ...changes.map((change): Change => JSON.parse(change))];
}

/** As JSON it is never smaller than in the item. */
function bytesOf(change: Change): number {
  return Buffer.byteLength(JSON.stringify(change));
}
