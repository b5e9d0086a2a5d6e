/** Reads the content of the table by its index, which the changes of 30 days are not in. */
import { setTimeout } from "node:timers/promises";
import { sortTags, tagsOf } from "../../lib/features/tags/tag-list.ts";
import { inParallel, readItems } from "../../lib/store/dynamodb/batches.ts";
import type { Session } from "../../lib/store/dynamodb/session.ts";
import type {
  ApiKeyItem,
  FeatureItem,
  IndexAttributes,
  ProjectItem,
  TableKey,
} from "../../lib/store/items/items.ts";
import { environmentList, featureList, keyList, projectList } from "../../lib/store/items/lists.ts";
import {
  contentAttributes,
  contentOfItem,
  type StoredContent,
} from "../../lib/store/items/stored-content.ts";
import { readList } from "../../lib/store/read-lists.ts";
import { type FeatureContent, type TableContent, toApiKey } from "./content.ts";

/** On AWS the index usually lags behind the table by less than this. Elsewhere a write that has begun is over by then. */
const lagMs = { onAws: 1000, elsewhere: 100 };

export function untilListed({ isOnAws }: { isOnAws: boolean }): Promise<void> {
  return setTimeout(isOnAws ? lagMs.onAws : lagMs.elsewhere);
}

/** Reads by the index, which lags: what was stored in the last second may be missing. Calls `onRead` with the number of items so far. */
export async function readContent(
  session: Session,
  onRead: (items: number) => void = () => {},
): Promise<TableContent> {
  const projects = await readProjects(session);
  const apiKeys = await readApiKeys(session);
  let count = projects.size + apiKeys.length;
  const read = async <Item extends object>(list: string, attributes: readonly string[]) => {
    const items = await readWholeList<Item>(session, list, attributes);
    count += items.length;
    onRead(count);
    return items;
  };

  const found = await inParallel([...projects.keys()], async (project) => {
    type Item = IndexAttributes & Pick<FeatureItem, "environments" | "tags">;
    const items = await read<Item>(featureList(project), ["listedAs", "environments", "tags"]);
    return items.map((item) => ({ ...item, project }));
  });
  const places = found
    .flat()
    .flatMap(({ project, environments }) =>
      environments.map((environment) => JSON.stringify([project, environment])),
    );
  const lists = await inParallel([...new Set(places)], async (place) => {
    type Item = IndexAttributes & StoredContent;
    const [project, environment] = JSON.parse(place);
    const items = await read<Item>(environmentList(project, environment), ["listedAs", ...contentAttributes]);
    const contents = items.map(({ listedAs, ...content }) => [listedAs, contentOfItem(content)] as const);
    return [place, new Map(contents)] as const;
  });
  const contentsIn = new Map(lists);

  const features = found.flat().map(({ listedAs: name, project, environments, tags }): FeatureContent => {
    // An environment without its item is being removed.
    const having = environments.flatMap((environment) => {
      const content = contentsIn.get(JSON.stringify([project, environment]))?.get(name);
      return content ? [[environment, content] as const] : [];
    });
    return { name, project, tags: sortTags(tagsOf(tags)), environments: new Map(having) };
  });
  return {
    projects,
    features: new Map(features.map((feature) => [feature.name, feature])),
    apiKeys: apiKeys.map(toApiKey),
  };
}

export async function readProjects(session: Session): Promise<ReadonlyMap<string, readonly string[]>> {
  const items = await readWholeList<ProjectItem>(session, projectList, ["id", "environments"]);
  return new Map(items.map(({ id, environments }) => [id, environments]));
}

/** Reads the keys that are not revoked. The index has only their table keys; the items are read as they are now. */
export async function readApiKeys(session: Session): Promise<ApiKeyItem[]> {
  const tableKeys = await readWholeList<TableKey>(session, keyList, ["pk", "sk"]);
  const items = await readItems<ApiKeyItem>(session, tableKeys);
  return items.filter(({ revokedAt }) => revokedAt === undefined);
}

async function readWholeList<Item extends object>(
  session: Session,
  list: string,
  attributes: readonly string[],
): Promise<Item[]> {
  return (await readList<Item>(session, { list, attributes })) ?? [];
}
