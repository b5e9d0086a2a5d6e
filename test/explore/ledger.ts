/** What the checks remember of a schedule, and the violations that they found. */
import type { ChangeRef, EnvironmentChange, EnvironmentContent } from "../../lib/features/model.ts";

export interface Effect {
  attempt: string;
  wish: string;
  environment: string;
  /** The revision that it was written over. */
  revision: number;
  /** Counts the environments that had this name. */
  life: number;
}

/** A change as its environment had it, and the content before and after it. */
export interface Made {
  change: EnvironmentChange;
  before: EnvironmentContent | undefined;
  after: EnvironmentContent | undefined;
}

export interface Start {
  /** Its key. */
  isRevoked: boolean;
  /** Where the change that it undoes had been made. */
  changed: readonly string[];
  /** How many times the feature's item had been written. */
  updates: number;
  /** The uid of the feature that a tag update read first. */
  uid?: string;
  /** Of a trip: the change on top that was under its guard, by its environment. */
  guarded?: Readonly<Record<string, ChangeRef>>;
  /** For a list of changes: the revision of each environment as it was read first. */
  revisions?: Readonly<Record<string, number>>;
}

export interface Ledger {
  effects: readonly Effect[];
  /** How many environments had been made when each was, by its key. */
  lives: Readonly<Record<string, number>>;
  /** How many environments had been made when each attempt read the feature. */
  reads: Readonly<Record<string, number>>;
  /** How many times the feature's item was written. */
  updates: number;
  /** What held when each attempt began. */
  starts: Readonly<Record<string, Start>>;
  /** Attempts whose deadline has passed. */
  late: readonly string[];
  made: number;
  /** The tags of each state of the feature, by its ETag. */
  tagsByEtag: Readonly<Record<string, string>>;
  /** The marks of each state of an environment, by the ETag of a feature that has only this environment. */
  marksByEtag: Readonly<Record<string, string>>;
  /** What each change has done in each environment, by the environment and its id. */
  changes: Readonly<Record<string, Made>>;
  /** The changes that are items of their own, by the environment and the change's id. */
  kept: Readonly<Record<string, true>>;
  /** The revisions of the changes that trips have undone, by their environments. */
  tripped: Readonly<Record<string, readonly number[]>>;
  /** The undo of each change that is marked as undone, by the environment and the change's id. */
  marked: Readonly<Record<string, string>>;
  /** The environments of the feature, by its item. */
  listed: readonly string[];
  /** The wishes that have created the feature. */
  creators: readonly string[];
  /** What was written last to each environment, unless by a restoration. */
  newest: Readonly<Record<string, string>>;
  /** What deletions have kept, by the uid and the revision of the environment. */
  copies: Readonly<Record<string, true>>;
  /** Whether an environment or the feature was deleted, or replaced by a creation that began again. */
  isDeleted: boolean;
  /** The marks in each environment. */
  marks: Readonly<Record<string, readonly string[]>>;
  /** Whether an operator has put other variants in the place of those that the patches left. */
  isReplaced: boolean;
  violations: readonly string[];
}

export const emptyLedger: Ledger = {
  effects: [],
  lives: {},
  reads: {},
  starts: {},
  late: [],
  made: 0,
  updates: 0,
  tagsByEtag: {},
  marksByEtag: {},
  changes: {},
  kept: {},
  tripped: {},
  marked: {},
  listed: [],
  creators: [],
  newest: {},
  copies: {},
  isDeleted: false,
  marks: {},
  isReplaced: false,
  violations: [],
};
