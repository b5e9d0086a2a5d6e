/** A feature's variants as they are stored, and the changes that led to them. */
import type { Variant } from "../contract/variants.ts";
import type { Stamp } from "./stamp.ts";

/** The subject of a request for variants: a feature in all its environments, or in one of them. */
export interface Target {
  project: string;
  feature: string;
  environment?: string | undefined;
}

export interface EnvironmentState {
  environment: string;
  /** Another one when the environment is deleted and created again. */
  uid: string;
  revision: number;
  variants: Variant[];
  /** The newest changes, newest first: the first has made this revision. They become items of their own together. */
  carried: readonly Change[];
  /** The ids of the newest changes that are items, newest first. They are older than those that it carries. */
  kept: readonly string[];
  /** The newest change in effect, which is no undo and not undone: the only one that can be undone. */
  top: ChangeRef | null;
}

export type Version = Pick<EnvironmentState, "environment" | "uid" | "revision">;

/** In the project's order. */
export type States = readonly EnvironmentState[];

/** What one request did to the variants of an environment. It never changes. */
export interface Change extends Stamp {
  revision: number;
  undoes?: ChangeRef | undefined;
  /** What its undo restores: the variants before it, and the newest change that was in effect then. */
  before: Variant[];
  topBefore: ChangeRef | null;
}

/** The revision tells apart two changes of one id: an idempotency key can be used again once its change is deleted. */
export type ChangeRef = Pick<Change, "id" | "revision">;

/** A change, and the id of its undo. */
export interface Made {
  change: Change;
  undoneBy?: string | undefined;
}

export interface ToUndo extends Made {
  /** Whether it may be deleted in some environment of the request. */
  isTooOld: boolean;
}

/** What a request finds in an environment. */
export interface Found {
  state: EnvironmentState;
  /** The change that the request has made there already. */
  ownChange?: Change | undefined;
  toUndo?: ToUndo | undefined;
}

/** What a request makes of the variants of an environment. It has no side effects. */
export type Plan = (found: Found) => Planned;

export interface Planned {
  variants: Variant[];
  undoes?: Change | undefined;
  /** What the request does without being asked to, or sets without effect. */
  hint?: string | undefined;
}
