/** The store of variants: reads a feature, and writes one environment at a time. */
import type { VariantStore } from "../features/stores.ts";
import { readFeature } from "./read-feature.ts";
import type { Session } from "./session.ts";
import { requireRoomForVariants, writeVariants } from "./write-variants.ts";

export function createVariantStore(session: Session): VariantStore {
  return {
    readFeature: (target, idempotency) => readFeature(session, target, idempotency),
    writeVariants: (write) => writeVariants(session, write),
    requireRoomForVariants,
  };
}
