/** The ports to the table: what the domain needs to read and to write, in the domain's terms. */
import type { Projects } from "../access/permissions.ts";
import type { Tag } from "../contract/tags.ts";
import type { Change, EnvironmentState, Made, States, Target } from "./feature.ts";
import type { Stamp } from "./stamp.ts";

export interface StoredTags {
  project: string;
  tags: Tag[];
  etag: string;
  /** What their item holds besides the tags. */
  otherBytes: number;
}

export interface TagDifference {
  added: readonly Tag[];
  removed: readonly Tag[];
}

export interface TagWrite extends TagDifference {
  feature: string;
  /** Written only if the feature is in one of these. */
  projects: Projects;
  /** Written only if the tags have this ETag. */
  ifMatch?: string | undefined;
  stamp: Stamp;
}

/** `current` is absent if the feature does not exist. */
export type TagResult = { written: true; stored: StoredTags } | { written: false; current?: StoredTags };

/**
 * `mayBeStored`: the response of a call was lost. As its condition fails now, no copy of it can be stored any more: a read
 * shows whether it was.
 */
export type WriteResult = { written: true } | { written: false; mayBeStored: boolean };

/** Has no method that writes: all that the code of a read or a dry run sees. */
export interface TagReader {
  readTags(feature: string): Promise<StoredTags | undefined>;

  /** Throws if the item would be larger than the store accepts. */
  requireRoomForTags(feature: string, tags: StoredTags): void;
}

/** A deployment tests its functions by it. */
export interface TestableStore {
  /** Tries each call to the table, without a change. Returns those that failed, each with its error. */
  tryCalls(): Promise<readonly string[]>;
}

export interface TagStore extends TagReader, TestableStore {
  /** One atomic write, or none. */
  writeTags(write: TagWrite): Promise<TagResult>;
}

/** Has no method that writes: all that the code of a read or a dry run sees. */
export interface VariantReader {
  /** The environments of the target in the project's order; undefined if it does not exist. */
  readEnvironments(target: Target): Promise<States | undefined>;

  /** The changes of this id that are items of their own, with their undos that are, by the uid of their environment. */
  readChange(id: string): Promise<ReadonlyMap<string, Made>>;

  /** The newest changes of each environment, newest first, as far as they are kept. */
  readNewestChanges(states: States): Promise<NewestChanges>;
}

export interface NewestChanges {
  newest: readonly (readonly Change[])[];
  /** Whether any has older ones. */
  hasMore: boolean;
}

export interface VariantStore extends VariantReader, TestableStore {
  readEnvironment(target: Target, environment: string): Promise<EnvironmentState | undefined>;

  /** Makes the changes that full environments carry items of their own: must be done before the next revision is written. */
  keepChanges(target: Target, states: States): Promise<void>;

  /** Writes the next revision if `before` is the current one. */
  writeVariants(target: Target, before: EnvironmentState, after: EnvironmentState): Promise<WriteResult>;
}

export interface Clock {
  sleep(ms: number): Promise<void>;
  /** How long it is until the invocation's deadline. */
  remainingMs(): number;
}
