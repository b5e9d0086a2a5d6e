/** The ports to the table: what the domain needs to read and to write, in the domain's terms. */
import { randomBytes } from "node:crypto";
import type { Projects } from "../access/permissions.ts";
import type { Tag } from "../contract/tags.ts";
import type { Variant } from "../contract/variants.ts";
import type { Change, EnvironmentState, Feature, IdempotentRequest, Target } from "./feature.ts";

/** Identifies a change: its id, its author, its time and its request. */
export interface Stamp {
  id: string;
  by: string;
  at: string;
  request: string;
}

export function createStamp({
  id = newId(),
  by,
  request,
}: Omit<Stamp, "id" | "at"> & { id?: string | undefined }): Stamp {
  return { id, by, at: new Date().toISOString(), request };
}

/** 64 random bits: the id of a write, of a change, and of an environment's item. */
export function newId(): string {
  return randomBytes(8).toString("base64url");
}

export interface StoredTags {
  project: string;
  tags: Tag[];
  etag: string;
  /** What their item holds besides the tags. */
  otherBytes: number;
}

export interface TagChange {
  added: readonly Tag[];
  removed: readonly Tag[];
}

export interface TagWrite {
  feature: string;
  change: TagChange;
  /** The change is made only if the feature is in one of these. */
  projects: Projects;
  /** The change is made only if the tags have this ETag. */
  ifMatch?: string | undefined;
  stamp: Stamp;
}

/** `current` is absent if the feature does not exist. */
export type TagResult = { changed: true; stored: StoredTags } | { changed: false; current?: StoredTags };

export interface VariantsWrite extends Omit<Target, "environment"> {
  /** Names the environment. */
  before: EnvironmentState;
  variants: Variant[];
  stamp: Stamp;
  /** The change that the write undoes. */
  undoes?: Change | undefined;
  idempotency?: IdempotentRequest | undefined;
  /** Recorded as served by the write. */
  ticket?: number | undefined;
}

/** One environment of a feature. */
export type Place = Target & { environment: string };

/** `written: false` if the environment has changed since `before`; `current` is undefined if it no longer exists. */
export type WriteResult =
  | { written: true; stored: EnvironmentState }
  | { written: false; current: EnvironmentState | undefined };

export interface TagReader {
  readTags(feature: string): Promise<StoredTags | undefined>;

  /** Throws if the item would be larger than the store accepts. */
  requireRoomForTags(feature: string, tags: StoredTags): void;
}

export interface TagStore extends TagReader {
  /** One atomic change, or none. */
  changeTags(write: TagWrite): Promise<TagResult>;
}

/** Cannot write: all that a read or a dry run gets. */
export interface VariantReader {
  /** With all its environments, or with the one that the target names. Finds the earlier writes of a retried request. */
  readFeature(target: Target, idempotency?: IdempotentRequest): Promise<Feature | undefined>;

  /** Throws if the item would be larger than the store accepts. */
  requireRoomForVariants(write: VariantsWrite): void;
}

export interface VariantStore extends VariantReader {
  /** Writes the next revision if `before` is the current one; a write whose response was lost counts once. */
  writeVariants(write: VariantsWrite): Promise<WriteResult>;

  /** As it is now. With the queue read along, turns that were given up count as served. */
  readEnvironment(place: Place, options: ReadOptions): Promise<EnvironmentState | undefined>;

  /** The next ticket of the environment; if its queue was lost, the one after `served`. */
  takeTicket(place: Place, served: number): Promise<number>;

  /** May fail, as a turn is only advisory. */
  giveUpTurn(place: Place, ticket: number): Promise<void>;
}

export interface ReadOptions {
  idempotency?: IdempotentRequest | undefined;
  withQueue?: boolean;
}
