/** The domain's store of features, on DynamoDB. */
import type { FeatureStore } from "../features/feature-store.ts";
import { changeTags } from "./change-tags.ts";
import { readFeature } from "./read-feature.ts";
import type { Session } from "./session.ts";
import { writeVariants } from "./write-variants.ts";

export function createFeatureStore(session: Session): FeatureStore {
  return {
    changeTags: (...change) => changeTags(session, ...change),
    readFeature: (...of) => readFeature(session, ...of),
    writeVariants: (...write) => writeVariants(session, ...write),
  };
}
