/** Reads the lists of the index, which is a moment behind the table. */
import { QueryCommand } from "@aws-sdk/lib-dynamodb";
import type { Session } from "./dynamodb/session.ts";
import { isStorableName } from "./items/items.ts";
import { listIndex } from "./items/lists.ts";

/** DynamoDB's limit. */
const partitionKeyBytes = 2048;

interface ListQuery {
  list: string;
  attributes: readonly string[];
  after?: string | undefined;
  limit?: number;
  /** A page has 1 MB. If the list has more pages, `readList` returns undefined. */
  maxPages?: number;
}

export async function readList<Item extends object>(
  session: Session,
  { limit = Number.POSITIVE_INFINITY, maxPages, ...query }: ListQuery,
): Promise<Item[] | undefined> {
  const items: Item[] = [];
  let start: StartKey;
  for (let pages = 1; ; pages++) {
    const page = await readPage<Item>(session, { ...query, limit: limit - items.length }, start);
    items.push(...page.items);
    start = page.next;
    if (!start || items.length >= limit) return items;
    if (pages === maxPages) return undefined;
  }
}

type StartKey = Record<string, unknown> | undefined;

/** Reads at most 1 MB of the list. Returns `next` if there may be more. */
export async function readPage<Item extends object>(
  { table, call }: Session,
  { list, attributes, after, limit = Number.POSITIVE_INFINITY }: ListQuery,
  ExclusiveStartKey?: StartKey,
): Promise<{ items: Item[]; next: StartKey }> {
  if (!isStorableName(list, partitionKeyBytes)) return { items: [], next: undefined };
  const conditions = ["inList = :list", ...(after === undefined ? [] : ["listedAs > :after"])];
  const names = Object.fromEntries(attributes.map((name, index) => [`#${index}`, name]));
  const query = new QueryCommand({
    TableName: table,
    IndexName: listIndex,
    KeyConditionExpression: conditions.join(" AND "),
    ProjectionExpression: Object.keys(names).join(),
    ExpressionAttributeNames: names,
    ExpressionAttributeValues: { ":list": list, ...(after !== undefined && { ":after": after }) },
    ...(Number.isFinite(limit) && { Limit: limit }),
    ...(ExclusiveStartKey && { ExclusiveStartKey }),
  });
  const page = await call(query);
  return { items: (page.Items ?? []) as Item[], next: page.LastEvaluatedKey };
}
