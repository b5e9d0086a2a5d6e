/** Checks a response by the OpenAPI document, and what the request changed in the table. */
import { isDeepStrictEqual } from "node:util";
import { type NativeAttributeValue, ScanCommand } from "@aws-sdk/lib-dynamodb";
import { variantsInForm } from "../../lib/features/patch/variant-list.ts";
import { tagsOf } from "../../lib/features/tags/tag-list.ts";
import { deletionPartition } from "../../lib/store/deletion-items.ts";
import type { Session } from "../../lib/store/dynamodb/session.ts";
import {
  type ChangeItem,
  type EnvironmentItem,
  environmentTableKey,
  type FeatureItem,
  featureTableKey,
  type TableKey,
} from "../../lib/store/items/items.ts";
import { contentOfItem } from "../../lib/store/items/stored-content.ts";
import type { Response } from "../support/burgee.ts";
import { document } from "../support/document.ts";
import { keys } from "./world.ts";

export interface Target {
  method: string;
  /** The declared path; undefined if no route matches. */
  route: string | undefined;
  names: Readonly<Record<string, string | undefined>>;
  isDryRun: boolean;
  isByName: boolean;
  hasEnvironments: boolean;
}

export type Table = ReadonlyMap<string, TableKey>;

export async function readTable({ table, call }: Session): Promise<Table> {
  const items: Record<string, NativeAttributeValue>[] = [];
  let start: Record<string, NativeAttributeValue> | undefined;
  do {
    const scan = new ScanCommand({ TableName: table, ConsistentRead: true, ExclusiveStartKey: start });
    const page = await call(scan);
    items.push(...(page.Items ?? []));
    start = page.LastEvaluatedKey;
  } while (start);
  return new Map((items as TableKey[]).map((item) => [placeOf(item), item]));
}

const placeOf = ({ pk, sk }: TableKey) => JSON.stringify([pk, sk]);

/** The issues of a response, and of the log lines of its request. */
export function issuesOfResponse(
  { status, headers, json }: Response,
  target: Target,
  logged: string,
): string[] {
  const text = JSON.stringify([headers, json]);
  const documented = statusesOf(target);
  const internals = /\b(?:Type|Range|Reference|URI|Syntax)Error\b|\w+Exception\b| {4}at |node_modules/.exec(
    text,
  );
  const key = Object.values(keys).find((each) => text.includes(each) || logged.includes(each));
  return [
    documented.includes(status) ? [] : `the status ${status} is not one of ${documented}`,
    /^no-(store|cache|cache, must-revalidate)$/.test(headers["cache-control"] ?? "")
      ? []
      : "the header cache-control is missing",
    internals ? `the response contains ${internals[0]}` : [],
    key ? `the response or the log contains ${key}` : [],
  ].flat();
}

function statusesOf({ method, route }: Target): number[] {
  const { [method === "HEAD" ? "get" : method.toLowerCase()]: operation } = document.paths[route ?? ""] ?? {};
  if (!operation) return route === undefined ? [404] : [405];
  return Object.keys(operation.responses)
    .map(Number)
    .filter((status) => status < 500);
}

/**
 * The issues of what a request changed: nothing but items of the feature in its path, of one that it creates, or of the
 * environment whose guard it trips; and nothing in a dry run. What a deletion removes is kept. Its changes become items that never change.
 */
export function issuesOfTable(
  before: Table,
  after: Table,
  { method, route = "", names, isDryRun }: Target,
  { status, json }: Response,
): string[] {
  const mayWrite = /^(PUT|PATCH|POST|DELETE)$/.test(method) && !isDryRun;
  const isTrip = route.endsWith("/trip");
  const isCreation = /\/(features|restore)$/.test(route) && status === 201;
  const isDeletion = method === "DELETE" && route.endsWith("/{featureName}") && status === 202;
  const feature = isCreation ? json.name : names.featureName;
  const { pk } = featureTableKey(feature ?? "");
  const places = [...new Set([...before.keys(), ...after.keys()])];
  const changed = places.filter((place) => !isDeepStrictEqual(before.get(place), after.get(place)));
  const isNewItem = (place: string) => {
    const item = after.get(place) as Partial<ChangeItem> | undefined;
    // That of a guard may be put again, by an idempotency key that an earlier feature of the name had.
    const isOfChange = !before.has(place) && item?.pk?.startsWith("CHANGE#");
    if (isDeletion && !before.has(place)) return item?.pk === deletionPartition("feature", feature);
    return (isOfChange || item?.pk?.startsWith("GUARD#")) && (isTrip || item?.feature === feature);
  };
  const isOwn = (place: string) => {
    if (isCreation) return !before.has(place) && after.get(place)?.pk === pk;
    if (isDeletion) return !after.has(place) && before.get(place)?.pk === pk;
    if (!after.has(place)) return false;
    const item = before.get(place);
    return isTrip ? item?.sk === `ENVIRONMENT#${names.environment}` : item?.pk === pk;
  };
  return changed
    .filter((place) => !mayWrite || !(isNewItem(place) || isOwn(place)))
    .map((place) => `the item ${place} was changed`);
}

/** Whether a success, unless of a dry run, states what is stored. */
export function statesWhatIsStored({ status, json }: Response, target: Target, table: Table): boolean {
  const { route, names, isDryRun, isByName } = target;
  if (status >= 300 || isDryRun || route === undefined) return true;
  const { featureName = "", environment } = names;
  const feature = table.get(placeOf(featureTableKey(featureName))) as FeatureItem | undefined;
  if (route.endsWith("/tags")) {
    const texts = (tags: object[]) => tags.map((tag) => JSON.stringify(Object.entries(tag).sort())).sort();
    const stored = tagsOf(feature?.tags ?? {});
    return isDeepStrictEqual(texts(stored), texts(json.tags));
  }
  const form = isByName ? "name" : "index";
  const storedIn = (of: string, environment: string): Partial<EnvironmentItem> =>
    (table.get(placeOf(environmentTableKey(of, environment))) as EnvironmentItem | undefined) ?? {};
  const isStored = (of: string, { environment, enabled, variants }: Shown) => {
    const stored = storedIn(of, environment);
    const isSwitched = enabled === undefined || enabled === stored.enabled;
    const hasVariants =
      variants === undefined || isDeepStrictEqual(variantsInForm(stored.variants ?? [], form), variants);
    return isSwitched && hasVariants;
  };
  if (Array.isArray(json) || route.endsWith("/trip")) return true;
  const strategyId = names.strategyId ?? (route.endsWith("/strategies") ? json.id : undefined);
  if (strategyId !== undefined) {
    const { strategies } = contentOfItem(storedIn(featureName, environment ?? "") as EnvironmentItem);
    return isDeepStrictEqual(
      strategies.find((one) => one.id === strategyId),
      json,
    );
  }
  if (json.with) {
    const listed: { name: string; environments: Shown[] }[] = json.features;
    return listed.every(({ name, environments }) => environments.every((one) => isStored(name, one)));
  }
  if (json.environments && !route.endsWith("/variants")) {
    return json.environments.every((one: Shown) => isStored(json.name ?? featureName, one));
  }
  // A list of names or of changes, or a document.
  if (json.variants === undefined) return true;
  const first = environment ?? feature?.environments[0] ?? "";
  return isStored(featureName, { environment: first, variants: json.variants });
}

/** An environment in a response. */
interface Shown {
  environment: string;
  enabled?: boolean;
  variants?: unknown;
}
