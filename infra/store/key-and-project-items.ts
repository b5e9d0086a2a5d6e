/** Makes the items of new API keys and projects. */

import type { Stamp } from "../../lib/features/stamp.ts";
import { newId } from "../../lib/features/stamp.ts";
import {
  type ApiKeyItem,
  apiKeyTableKey,
  type Creation,
  type ProjectItem,
  projectTableKey,
} from "../../lib/store/items/items.ts";
import { keyList, projectList } from "../../lib/store/items/lists.ts";
import type { ApiKeyContent } from "./content.ts";

export function apiKeyItem({ keyHash, ...rest }: ApiKeyContent, stamp: Stamp): ApiKeyItem {
  const listed = { inList: keyList, listedAs: rest.name };
  return {
    ...apiKeyTableKey(keyHash),
    ...listed,
    ...rest,
    createdAt: new Date().toISOString(),
    lastWrite: stamp,
  };
}

export function projectItem(id: string, environments: readonly string[], creation?: Creation): ProjectItem {
  const listed = { inList: projectList, listedAs: id };
  const item = { ...projectTableKey(id), ...listed, uid: newId(), id, environments: [...environments] };
  return { ...item, ...(creation && { creation }) };
}
