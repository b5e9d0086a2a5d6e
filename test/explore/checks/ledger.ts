/** Defines what the checks remember of a schedule, with the violations that they have found. */
import type { ChangeRef, EnvironmentChange, EnvironmentContent } from "../../../lib/features/model.ts";

/** A write that an attempt made: of an environment, of the tags or of the whole feature. */
export interface Effect {
  attempt: string;
  intent: string;
  environment: string;
  /** The revision that it was written over. */
  revision: number;
  /** Counts the environments that had this name. */
  life: number;
}

/** A change as its environment carried it, and the content before and after it. */
export interface MadeChange {
  change: EnvironmentChange;
  before: EnvironmentContent | undefined;
  after: EnvironmentContent | undefined;
}

/** What held when an attempt began, and what it read first. */
export interface Start {
  /** Whether its API key was revoked. */
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

/** `place` is an environment of one uid, as `placeOf` names it; a key of a change is the place and the id of the change. */
export interface Ledger {
  violations: readonly string[];

  // Attempts: what each has read and written, by its name.
  starts: Readonly<Record<string, Start>>;
  effects: readonly Effect[];
  /** Attempts whose deadline has passed. */
  late: readonly string[];
  /** How many environments had been made when the attempt read the feature. */
  reads: Readonly<Record<string, number>>;

  // Changes: what each was when it was made, and how it is stored since.
  changes: Readonly<Record<string, MadeChange>>;
  /** The changes that are change items. */
  changeItems: Readonly<Record<string, true>>;
  /** The id of the undo that the mark beside the change names. */
  marked: Readonly<Record<string, string>>;
  /** The revisions of the changes that trips have undone, by the place. */
  tripped: Readonly<Record<string, readonly number[]>>;

  // Environments: how often each was made, and what was written to it.
  /** How many environments have been made. */
  made: number;
  /** How many environments had been made when this one was, by its table key. */
  lives: Readonly<Record<string, number>>;
  /** The traces in each environment, by its name. */
  traces: Readonly<Record<string, readonly string[]>>;
  /** The traces of each state of an environment, by the ETag of a feature that has only this environment. */
  tracesByEtag: Readonly<Record<string, string>>;
  /** The content that a feature had last, unless from a restoration, by the sort key. */
  newest: Readonly<Record<string, string>>;
  /** What deletions have kept, by the uid and the revision of the environment. */
  copies: Readonly<Record<string, true>>;

  // The feature: its item, and what has happened to it as a whole.
  /** How many times the feature's item was written. */
  updates: number;
  /** The tags of each state of the feature, by its ETag. */
  tagsByEtag: Readonly<Record<string, string>>;
  /** The environments of the feature, by its item. */
  listed: readonly string[];
  /** The intent that has created the environment, and with which content, by its sort key. */
  creations: Readonly<Record<string, { intent: string; content: string }>>;
  /** The intent that has reserved the name of the feature. */
  reservedFor?: string | undefined;
  /** The intents whose reservation another one has taken over. */
  overtaken: readonly string[];
  /** The intents that have created the feature. */
  creators: readonly string[];
  /** Whether an environment or the feature was deleted, or replaced by a creation that began again. */
  isDeleted: boolean;
  /** Whether an operator has put other variants in the place of those that the patches left. */
  isReplaced: boolean;
}

export const emptyLedger: Ledger = {
  violations: [],
  starts: {},
  effects: [],
  late: [],
  reads: {},
  changes: {},
  changeItems: {},
  marked: {},
  tripped: {},
  made: 0,
  lives: {},
  traces: {},
  tracesByEtag: {},
  newest: {},
  copies: {},
  updates: 0,
  tagsByEtag: {},
  listed: [],
  creations: {},
  overtaken: [],
  creators: [],
  isDeleted: false,
  isReplaced: false,
};

/** Returns the descriptions of what is true. */
export function whichHold(statements: Readonly<Record<string, boolean | undefined>>): string[] {
  return Object.keys(statements).filter((description) => statements[description]);
}
