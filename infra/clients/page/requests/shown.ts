/** The types of what the page reads and shows of a feature. */
import type * as z from "zod/mini";
import type { changesSchema } from "../../../../lib/contract/responses/changes.ts";
import type { featureByNameSchema } from "../../../../lib/contract/responses/features.ts";
import type { moveSchema } from "../../../../lib/contract/responses/members.ts";

export type FeatureBody = z.infer<typeof featureByNameSchema>;
/** A feature in one environment. */
export type ShownEnvironment = FeatureBody["environments"][number];
export type ShownAspect = Exclude<keyof ShownEnvironment, "environment" | "etag" | "guard">;
export type Variants = ShownEnvironment["variants"];
export type ShownStrategies = ShownEnvironment["strategies"];
export type ShownStrategy = ShownStrategies[string];

export type ShownMove = z.infer<typeof moveSchema>;
export type Changes = z.infer<typeof changesSchema>;

/** The shown feature, as it was read last. */
export interface ShownFeature {
  project: string;
  name: string;
  tags: FeatureBody["tags"];
  environments: readonly ShownEnvironment[];
  /** The ETag of the feature, or "" if what is shown is not all that is stored: after a change of this tab, until the next read. */
  etag: string;
  /** Undefined if the changes could not be read. */
  history: Changes | undefined;
  /** Why the last attempt to read the feature failed, or "". */
  error: string;
  /** When the feature was read, in milliseconds; 0 if it never was. */
  readAt: number;
}

export interface FeaturePlace {
  project: string;
  feature: string;
}
