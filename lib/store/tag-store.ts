/** Reads and writes the tags of a feature: a write requires the revision that was read. */
import type { TagState } from "../features/model.ts";
import type { TagStore, WriteResult } from "../features/stores.ts";
import { tagsOf, toTagMembers } from "../features/tags/tag-list.ts";
import type { Session } from "./dynamodb/session.ts";
import {
  type AnyItem,
  type FeatureItem,
  featureTableKey,
  isFeatureItem,
  isStorableName,
  type SetAtCreation,
} from "./items/items.ts";
import { getItem } from "./read-items.ts";
import { runSmokeTest, tryGetFeature, tryUpdate } from "./smoke-test.ts";
import { updateItem } from "./update-item.ts";

export function createTagStore(session: Session): TagStore {
  return {
    readTags: (feature) => readTags(session, feature),
    writeTags: (feature, before, after) => writeTags(session, feature, before, after),
    smokeTest: () => runSmokeTest(session, { GetItem: tryGetFeature, UpdateItem: tryUpdate }),
  };
}

async function readTags(session: Session, feature: string): Promise<TagState | undefined> {
  if (!isStorableName(feature)) return undefined;
  const item = await getItem(session, featureTableKey(feature));
  return item && tagStateOfItem(item);
}

function writeTags(
  session: Session,
  feature: string,
  before: TagState,
  { revision, tags, lastWrite, earlierWriteIds }: TagState,
): Promise<WriteResult<TagState>> {
  const attributes: WrittenAttributes = {
    revision,
    tags: toTagMembers(tags),
    lastWrite,
    earlierWriteIds,
  };
  return updateItem(session, featureTableKey(feature), {
    before,
    attributes: { ...attributes },
    toState: tagStateOfItem,
  });
}

/** The attributes that a write sends. The compiler names one that is missing. */
type WrittenAttributes = Required<Omit<FeatureItem, SetAtCreation | "name" | "creation" | "environments">>;

/** Returns undefined for the reservation of a name: the feature does not exist yet. */
function tagStateOfItem(item: AnyItem): TagState | undefined {
  return isFeatureItem(item) ? toTagState(item) : undefined;
}

export function toTagState({
  project,
  uid,
  revision,
  tags,
  lastWrite,
  earlierWriteIds,
}: FeatureItem): TagState {
  return { project, uid, revision, tags: tagsOf(tags), lastWrite, earlierWriteIds };
}
