/** Reads the table, and checks what a request has changed in it. */
import { isDeepStrictEqual } from "node:util";
import { ScanCommand } from "@aws-sdk/lib-dynamodb";
import { writeState } from "../../infra/store/write-state.ts";
import { storedBytes } from "../../lib/contract/item-size.ts";
import { limits } from "../../lib/contract/limits.ts";
import { tagSchema } from "../../lib/contract/tags.ts";
import { variantListSchema } from "../../lib/contract/variants.ts";
import {
  type EnvironmentItem,
  type FeatureItem,
  isFeatureItem,
  type Key,
  parseTagMember,
} from "../../lib/store/items.ts";
import type { Session } from "../../lib/store/session.ts";
import { openTable, settingsOf } from "../support/table.ts";
import { stateOf } from "./world.ts";

export type Table = ReadonlyMap<string, Key>;

export function openEngine(endpoint: string): Session {
  Object.assign(process.env, {
    ...settingsOf(endpoint),
    AWS_PROFILE: "",
    AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: "true",
  });
  return openTable("burgee");
}

export async function resetTable(session: Session, start: number): Promise<Table> {
  await writeState(session, stateOf(start));
  return readTable(session);
}

export async function readTable({ table, send }: Session): Promise<Table> {
  const items = new Map<string, Key>();
  let ExclusiveStartKey: Key | undefined;
  do {
    const scan = new ScanCommand({
      TableName: table,
      ConsistentRead: true,
      ...(ExclusiveStartKey && { ExclusiveStartKey }),
    });
    const page = await send(scan);
    for (const item of page.Items as Key[]) items.set(JSON.stringify([item.pk, item.sk]), item);
    ExclusiveStartKey = page.LastEvaluatedKey as Key | undefined;
  } while (ExclusiveStartKey);
  return items;
}

/** The issues of a request's changes; `mayChange` selects the items that it may change, if any. */
export function issuesOfTable(
  before: Table,
  after: Table,
  mayChange: (item: Key) => boolean = () => false,
): string[] {
  const issues: string[] = [];
  for (const place of new Set([...before.keys(), ...after.keys()])) {
    const [old, item] = [before.get(place), after.get(place)];
    if (isDeepStrictEqual(old, item)) continue;
    if (!old || !item) issues.push(`the item ${place} was created or deleted`);
    else if (!mayChange(item)) issues.push(`the item ${place} was changed`);
    else issues.push(...invalidities(old, item).map((issue) => `the item ${place} ${issue}`));
  }
  return issues;
}

function invalidities(old: Key, item: Key): string[] {
  const issues = isFeatureItem(item)
    ? ofFeature(old as FeatureItem, item)
    : ofEnvironment(old as EnvironmentItem, item as EnvironmentItem);
  if (storedBytes(item) > limits.itemBytes) issues.push("is larger than the limit of an item");
  return issues;
}

function ofFeature(old: FeatureItem, item: FeatureItem): string[] {
  const { tags, changed, ...rest } = item;
  const { tags: _, changed: __, ...restBefore } = old;
  const bad = Object.keys(tags).filter((member) => !tagSchema.safeParse(parseTagMember(member)).success);
  return [
    ...(bad.length > 0 ? [`has invalid tags: ${bad}`] : []),
    ...(isDeepStrictEqual(rest, restBefore) ? [] : ["was changed in more than its tags"]),
  ];
}

function ofEnvironment(old: EnvironmentItem, item: EnvironmentItem): string[] {
  const { variants, revision, writes } = item;
  const { success, data = [] } = variantListSchema.safeParse(variants);
  const weights = variants.reduce((sum, { weight }) => sum + weight, 0);
  return [
    ...(success && isDeepStrictEqual(data, variants) ? [] : ["has invalid variants"]),
    ...(variants.length === 0 || weights === 1000 ? [] : [`has weights that sum to ${weights}`]),
    ...(revision === old.revision + 1 ? [] : [`went from revision ${old.revision} to ${revision}`]),
    ...(writes.length <= 2 * limits.rememberedWrites ? [] : ["remembers too many writes"]),
  ];
}
