/** What the domain asks of a store of features. The store implements it; the domain never sees a database. */
import type { Projects } from "../access/caller.ts";
import type { Tag } from "../contract/tags.ts";
import type { Variant } from "../contract/variants.ts";
import type { EnvironmentState, Feature, RequestKey, Target } from "./feature.ts";
import type { TagChange } from "./tag-change.ts";

/** Of every change: its id, which tells a repeated write from a new one, who made it, when, in which request. */
export interface Stamp {
  id: string;
  by: string;
  at: string;
  request: string;
}

/** All tags after the change; none, and no change, if the feature's project is not one of those given. */
export type TagResult = { project: string; tags?: Tag[] };

export interface VariantsWrite extends Target {
  before: EnvironmentState;
  variants: Variant[];
  stamp: Stamp;
  keyed?: RequestKey | undefined;
}

/** Not done, because the environment is at another revision by now: this one, or gone. */
export type WriteResult = { done: true } | { done: false; current: EnvironmentState | undefined };

export interface FeatureStore {
  readTags(feature: string): Promise<Required<TagResult> | undefined>;

  /** One atomic change, or nothing; undefined if there is no such feature. */
  changeTags(
    feature: string,
    change: TagChange,
    projects: Projects,
    stamp: Stamp,
  ): Promise<TagResult | undefined>;

  /** With all its environments, or with the one that is named, if it has that. */
  readFeature(of: Pick<Target, "feature" | "environment">): Promise<Feature | undefined>;

  /** Writes the next revision if `before` is the current one, and counts a repeated write once. */
  writeVariants(write: VariantsWrite): Promise<WriteResult>;
}
