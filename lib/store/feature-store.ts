/** The domain's store of features, on DynamoDB. */
import type { FeatureStore } from "../features/feature-store.ts";
import { changeTags } from "./change-tags.ts";
import { readFeature } from "./read-feature.ts";
import { readTags } from "./read-tags.ts";
import { rehearseTags, rehearseVariants } from "./rehearse.ts";
import type { Session } from "./session.ts";
import { writeVariants } from "./write-variants.ts";

export function createFeatureStore(session: Session): FeatureStore {
  return {
    readTags: (...of) => readTags(session, ...of),
    changeTags: (...change) => changeTags(session, ...change),
    readFeature: (...of) => readFeature(session, ...of),
    writeVariants: (...write) => writeVariants(session, ...write),
  };
}

/** The store of a dry run: it judges every change as the table would, and writes nothing. */
export function createRehearsal(session: Session): FeatureStore {
  return {
    ...createFeatureStore(session),
    changeTags: (...change) => rehearseTags(session, ...change),
    writeVariants: async (write) => rehearseVariants(write),
  };
}
