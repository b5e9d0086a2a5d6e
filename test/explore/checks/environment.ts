/** Reads of a stored environment what the checks look at. */
import { isDeepStrictEqual } from "node:util";
import { unmarshall } from "@aws-sdk/util-dynamodb";
import type { Item } from "../../../infra/engine/values.ts";
import { limits } from "../../../lib/contract/limits.ts";
import type { Variant } from "../../../lib/contract/variants.ts";
import type { EnvironmentChange, EnvironmentContent } from "../../../lib/features/model.ts";
import type { EnvironmentItem } from "../../../lib/store/items/items.ts";
import {
  contentOfItem,
  fromStoredChange,
  type StoredContent,
} from "../../../lib/store/items/stored-content.ts";
import { rememberedBy } from "../world/digest.ts";
import { whichHold } from "./ledger.ts";

export type Environment = EnvironmentItem;

/** Reads an item as Burgee does. */
const read = rememberedBy((item: Item): unknown => unmarshall(item as never));
export const contentsOf = <Stored>(item: Item | undefined) => item && (read(item) as Stored);

const readContent = rememberedBy(contentOfItem);
const textOf = rememberedBy((environment: StoredContent) => JSON.stringify(readContent(environment)));

export function carriedBy({ carriedNewest, carriedRest }: Environment): EnvironmentChange[] {
  return carriedNewest ? [carriedNewest, ...carriedRest].map(fromStoredChange) : [];
}

/** The ids of the changes that it carries, and of those that are items. */
function idsOf(environment: Environment): string[] {
  return [...carriedBy(environment).map(({ id }) => id), ...environment.droppedIds].slice(
    0,
    limits.listedChanges + 1,
  );
}

/** The ids that patches of the variants have appended to a list: what was done, how often and in which order. */
export function tracesOf({ variants }: { variants: readonly Variant[] }): readonly string[] {
  return variants[0]?.overrides?.[0]?.values ?? [];
}

/** The ids that patches of the strategies have appended. */
export function strategyTracesOf(environment: StoredContent): readonly string[] {
  return readContent(environment).strategies[0]?.constraints[0]?.values ?? [];
}

/** What is other now. */
export function touchedIn(was: Environment, is: Environment): string[] {
  return Object.keys(differing(was, is));
}

export function isOther(was: Environment | undefined, is: Environment): boolean {
  return was?.uid !== is.uid;
}

export function differs(was: Environment | undefined, is: Environment | undefined): boolean {
  return (was && textOf(was)) !== (is && textOf(is));
}

/** What a change stores, and an undo restores. */
export function contentOf(environment: StoredContent | undefined) {
  return environment && readContent(environment);
}

/** What was there before, of what is other now. */
function differing(was: Environment, is: Environment) {
  const [before, after] = [readContent(was), readContent(is)];
  const members = Object.keys(before) as (keyof EnvironmentContent)[];
  const touched = members.filter((one) => JSON.stringify(before[one]) !== JSON.stringify(after[one]));
  return Object.fromEntries(touched.map((one) => [one, before[one]]));
}

/** The last change is that of the write, and has what was there before. */
export function wrongHistory(was: Environment, is: Environment): string[] {
  const { carriedNewest: last, revision } = is;
  if (!differs(was, is)) return last?.id === was.carriedNewest?.id ? [] : ["a change that changed nothing"];
  // The list ends where the id was used before.
  const again = was.droppedIds.indexOf(last?.id ?? "");
  const droppedIds = again < 0 ? was.droppedIds : was.droppedIds.slice(0, again);
  const newest = [last?.id, ...idsOf({ ...was, droppedIds })].slice(0, limits.listedChanges + 1);
  return whichHold({
    "a last change that has not made this revision": last?.revision !== revision,
    "a last change that has not what was there before":
      !isDeepStrictEqual(last && fromStoredChange(last).old, differing(was, is)) ||
      !isDeepStrictEqual(last?.oldTop, was.top),
    "a change in effect that is not the last": !last?.undoes && is.top?.revision !== revision,
    "other changes than before": String(newest) !== String(idsOf(is)),
  });
}
