/** A feature as the domain sees it. */
import type { Variant } from "../contract/variants.ts";
import type { WayBack } from "./way-back.ts";

/** The subject of a request for variants: a feature in all its environments, or in one of them. */
export interface Target {
  project: string;
  feature: string;
  environment?: string | undefined;
}

export interface Feature {
  name: string;
  project: string;
  /** In the project's order. */
  environments: readonly EnvironmentState[];
}

export interface EnvironmentState {
  environment: string;
  /** Another one when the environment is deleted and created again. */
  uid: string;
  revision: number;
  variants: Variant[];
  /** The last writes; those whose record an undo has marked are at the end. */
  writes: readonly RememberedWrite[];
  /** The changes that it keeps, newest first. */
  changes: readonly Change[];
  /** The latest time of a change that it keeps no longer. */
  droppedAt?: string | undefined;
  /** Whether idempotency records have moved to items of their own. */
  hasMovedRecords: boolean;
  /** The write that an earlier attempt of this request has made here. */
  earlierWrite?: IdempotencyRecord | undefined;
  /** The newest ticket whose turn is over; 0 before the first. */
  served: number;
  /** The newest ticket that was taken, where the read shows it; else `served`. */
  lastTicket: number;
}

/** A request that its caller may retry. */
export interface IdempotentRequest {
  /** A fingerprint of the idempotency key and its scope. */
  key: string;
  /** The id of its change, which follows from the key and from what was sent with it. */
  change: string;
}

export interface IdempotencyRecord extends IdempotentRequest {
  /** That the write made. */
  revision: number;
  /** The time of the change, that of its first write in any environment. */
  at: string;
  /** The id of the undo that has undone it here. */
  undone?: string;
  /** The id of the undo that has undone such an undo. */
  redone?: string;
}

export interface RecordedWrite extends IdempotencyRecord {
  id: string;
}

/** A write of a request without an idempotency key has no record. */
export type RememberedWrite = RecordedWrite | Pick<RecordedWrite, "id" | "revision">;

/** What one request did to the variants of an environment. */
export interface Change {
  /** The same in every environment, and for every retry. */
  id: string;
  /** That it made. */
  revision: number;
  /** The name of the API key, or of the operator. */
  by: string;
  /** The time of its first write in any environment. */
  at: string;
  /** The fingerprint of its idempotency key. */
  key?: string;
  /** The id of the change that it undoes. */
  undoes?: string;
  /** Absent where it did not fit in the item. */
  wayBack?: WayBack;
}
