/** Prints changes, and records of what was made, deleted and restored. */
import type { ListedChange } from "../../../../lib/contract/responses/changes.ts";
import type { mergeChanges } from "../../../../lib/features/history/list-changes.ts";
import { print } from "../../../cli/output.ts";
import { printable } from "../../../cli/printable.ts";
import type { LifeRecord } from "../../../store/records.ts";
import { lastWriteOf } from "../../words/last-write.ts";
import { formatIn } from "./difference.ts";
import { movesSentence } from "./moves-sentence.ts";

export type PrintedChange = ListedChange | ReturnType<typeof mergeChanges>[number];

export function printChange(change: PrintedChange, feature = ""): void {
  const { id, by, at, reason, guard, undoes, environments, ...others } = change;
  // A new member of a change, such as a stored option, does not compile until it is printed.
  others satisfies Record<string, never>;
  const undone = undoes === undefined ? "" : `, undoes ${undoes}`;
  const guarded = guard === undefined ? "" : `, under the guard "${guard}"`;
  const why = reason === undefined ? "" : `: ${reason}`;
  const writtenAt = lastWriteOf({ at, environments });
  print(printable(`${id}  ${writtenAt} ${feature}by ${by}${guarded}${undone}${why}`));
  for (const one of environments) print(`    ${formatIn(one)}${moversOf(one)}${standingOf(one)}`);
}

export function printRecord(record: LifeRecord): void {
  const { id, at, kind, name, project: _, keyHash, did, by, reason, restorableUntil, ...others } = record;
  others satisfies Record<string, never>;
  const hash = keyHash === undefined ? "" : ` (${keyHash})`;
  const why = reason === undefined ? "" : `: ${reason}`;
  const until = restorableUntil === undefined ? "" : ` (can be restored until ${restorableUntil})`;
  print(printable(`${id}  ${at} ${kind} "${name}"${hash} ${did} by ${by}${why}${until}`));
}

function moversOf({ environment, moves = [] }: PrintedChange["environments"][number]): string {
  return moves.length === 0 ? "" : `; ${movesSentence(environment, moves)}`;
}

function standingOf({ canUndo, undoneBy }: ListedChange["environments"][number]): string {
  if (undoneBy !== undefined) return ` (undone by ${undoneBy})`;
  return canUndo ? " (can be undone)" : "";
}
