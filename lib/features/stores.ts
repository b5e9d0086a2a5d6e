/** The ports to the table, in the domain's terms. */
import type { AllowedProjects } from "../access/permissions.ts";
import type { Tag } from "../contract/tags.ts";
import type { Change, ChangeWithUndo, EnvironmentState, States, Target } from "./feature.ts";
import type { Stamp } from "./stamp.ts";

export interface StoredTags {
  project: string;
  tags: Tag[];
  etag: string;
  otherBytes: number;
}

export interface TagDifference {
  added: readonly Tag[];
  removed: readonly Tag[];
}

export interface TagWrite extends TagDifference {
  feature: string;
  /** The feature must be in one of these. */
  projects: AllowedProjects;
  ifMatch?: string | undefined;
  stamp: Stamp;
}

/** `current` is absent if the feature does not exist. */
export type TagResult = { written: true; stored: StoredTags } | { written: false; current?: StoredTags };

export type WriteResult = { written: true } | Conflict;

export interface Conflict {
  written: false;
  /** A response was lost. As the condition fails now, no copy can be stored any more: `current` shows whether one was. */
  mayBeStored: boolean;
  /** What the condition met, if the table shows it. */
  current?: EnvironmentState | undefined;
}

export interface TagReader {
  readTags(feature: string): Promise<StoredTags | undefined>;

  requireRoomForTags(feature: string, tags: StoredTags): void;
}

export interface TestableStore {
  /** Tries each call without a change, so that a deployment finds a missing permission. Returns the failures. */
  tryCalls(): Promise<readonly string[]>;
}

export interface TagStore extends TagReader, TestableStore {
  /** One atomic write, or none. */
  writeTags(write: TagWrite): Promise<TagResult>;
}

export interface VariantReader {
  /** Throws a NotFoundError if the feature or the environment of the target does not exist. */
  readEnvironments(target: Target): Promise<States>;

  /** The changes of this id that are items, and their undos that are, by the uid of the environment. */
  readChange(id: string): Promise<ReadonlyMap<string, ChangeWithUndo>>;

  /** The changes are newest first, as far as they are kept. */
  readNewestChanges(states: States): Promise<NewestChanges>;
}

export interface NewestChanges {
  newest: readonly (readonly Change[])[];
  hasMore: boolean;
}

export interface VariantStore extends VariantReader, TestableStore {
  readEnvironment(target: Target, environment: string): Promise<EnvironmentState | undefined>;

  /** Makes items of the changes that full environments carry: must precede the next revision. */
  keepChanges(target: Target, states: States): Promise<void>;

  /** Requires that `before` is the current revision. */
  writeVariants(target: Target, before: EnvironmentState, after: EnvironmentState): Promise<WriteResult>;
}
