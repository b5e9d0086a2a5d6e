/**
 * The state of a feature and its environments, their changes, and a request to change them.
 *
 * CONTRIBUTING.md defines the words. A change is stored in one of two places:
 *
 *   carried       in its environment's item, among the newest changes (`carried`)
 *   change item   in an item of its own, which is put before the environment drops the change (`prepareWrites`)
 *
 * In either place it is one of three:
 *
 *   in effect     neither undone nor an undo. The newest in effect is on top (`top`), and only this one can be undone
 *   undone        another change, its undo, has put back its `old` and its `oldTop`. Once both are change items, a mark
 *                 beside the undone one names the undo
 *   an undo       never on top, and never undone itself
 *
 * For example, a is made, then b, then c undoes b. The environment carries c, b and a, and a is on top again.
 */
import { isDeepStrictEqual } from "node:util";
import type { Caller } from "../access/permissions.ts";
import type { Patch } from "../contract/patch.ts";
import type { Dependency, Strategy, Targeting } from "../contract/strategies.ts";
import type { Tag } from "../contract/tags.ts";
import type { Variant, VariantForm } from "../contract/variants.ts";
import type { Stamp } from "./stamp.ts";

/** A feature in all its environments, or in one of them. */
export interface Target {
  project: string;
  feature: string;
  environment?: string | undefined;
}

/** All aspects of an environment. They decide what SDKs get. */
export interface EnvironmentContent {
  /** Whether the feature is on. */
  enabled: boolean;
  variants: Variant[];
  /** The strategies that restrict for whom the feature is on, in their order. */
  strategies: Strategy[];
  /** The features that this one depends on, as SDKs of Unleash evaluate them. */
  dependencies: Dependency[];
  /**
   * flagd's own logic, as the text of a `Targeting`; null if it is made from the rest. A map of the table would lose
   * the order of its members and refuse some numbers.
   */
  targeting: string | null;
}

export type Aspect = keyof EnvironmentContent;

/**
 * The content of a new environment. `aspects` is made from its keys. `Required` makes the compiler demand every aspect here,
 * an optional one too.
 */
export const emptyContent: Required<EnvironmentContent> = {
  enabled: false,
  variants: [],
  strategies: [],
  dependencies: [],
  targeting: null,
};

export const aspects = Object.keys(emptyContent) as readonly Aspect[];

export function contentOf(state: EnvironmentContent): EnvironmentContent {
  return mapAspects((aspect) => state[aspect]);
}

/** Makes a content from what `make` returns for each aspect. */
export function mapAspects(make: <A extends Aspect>(aspect: A) => EnvironmentContent[A]): EnvironmentContent {
  return Object.fromEntries(aspects.map((aspect) => [aspect, make(aspect)])) as unknown as EnvironmentContent;
}

export function differingAspects(before: EnvironmentContent, after: EnvironmentContent): Aspect[] {
  return aspects.filter((aspect) => differsInAspect(aspect, before, after));
}

export function differsInAspect(
  aspect: Aspect,
  before: EnvironmentContent,
  after: EnvironmentContent,
): boolean {
  return !isDeepStrictEqual(before[aspect], after[aspect]);
}

/** Parses the stored text of flagd's targeting. */
export function parseTargeting(text: string | null): Targeting | null {
  return text === null ? null : JSON.parse(text);
}

export function formatTargeting(targeting: Targeting | null): string | null {
  return targeting === null ? null : JSON.stringify(targeting);
}

export interface EnvironmentState extends EnvironmentContent {
  environment: string;
  /** A new one each time an environment of this name is created. */
  uid: string;
  revision: number;
  /**
   * The newest changes, newest first, as far as they are in the environment's own item. `carried[0]` made this
   * revision. Empty in a new environment.
   */
  carried: readonly EnvironmentChange[];
  /**
   * The ids of the newest changes that the environment has dropped, newest first. Each is an item until DynamoDB
   * deletes it.
   */
  droppedIds: readonly string[];
  /** The newest change in effect, neither an undo nor undone: the only one that can be undone. */
  top: Top | null;
}

export interface Top extends ChangeRef, Pick<EnvironmentChange, "at"> {
  /**
   * The guard, and until when the change is under it here. A trip of this guard that undoes a later change removes the
   * guard from this top.
   */
  guard?: ActiveGuard;
  /**
   * The guards whose trips have undone a later change, the newest first. Neither this change nor an older one is under
   * them.
   */
  trippedGuards?: readonly string[];
}

/** A guard whose time has begun, with the write of its change. `GuardOption` is what the request has set. */
interface ActiveGuard {
  name: string;
  until: string;
}

/** The content of an environment in the index, for lists. */
export type IndexedContent = EnvironmentContent & Pick<Top, "guard">;

/** Identifies one state of an environment, or of the tags of a feature. */
export type Revision = Pick<EnvironmentState, "uid" | "revision">;

/** The environments that were read, in the project's order. */
export type EnvironmentStates = readonly EnvironmentState[];

/** The tags of a feature as they are stored. */
export interface TagState {
  project: string;
  /** A new one each time a feature of this name is created. */
  uid: string;
  /** Grows by one with each write of the feature's item. */
  revision: number;
  tags: Tag[];
  /** The write that made this revision: an update of the tags, the creation, or a write by an operator. */
  lastWrite: Stamp;
  /** The ids of the writes before `lastWrite`, newest first. */
  earlierWriteIds: readonly string[];
}

export interface FeatureState {
  tagState: TagState;
  states: EnvironmentStates;
}

/** A change is what one request did. This is its part in one environment, and is never modified. */
export interface EnvironmentChange extends Stamp {
  revision: number;
  /**
   * When the write of this part was planned, shortly before it was stored. `at` is when the attempt began
   * that wrote the first part of the change.
   */
  writtenAt: string;
  undoes?: ChangeRef | undefined;
  /**
   * What the change replaced, as it was before: its undo restores this. It is exact, because changes are undone newest
   * first.
   */
  old: Partial<EnvironmentContent>;
  /** What was on top before the change: its undo puts this on top again. */
  oldTop: Top | null;
}

/** An id can come back 30 days later, when its idempotency key is used again: id and revision together are unique. */
export type ChangeRef = Pick<EnvironmentChange, "id" | "revision">;

export interface ChangeWithUndo {
  change: EnvironmentChange;
  undoneBy?: ChangeRef | undefined;
}

/** The change of one id, by the names of the environments where it was made. */
export type ChangeByEnvironment = ReadonlyMap<string, ChangeWithUndo>;

/** An environment of the target, with the changes that the request refers to there. */
export interface EnvironmentWithChanges {
  state: EnvironmentState;
  /** The own change of the request here, if it is stored: by an earlier attempt, a parallel one, or by this attempt. */
  ownChange?: EnvironmentChange | undefined;
  /** The change that an undo refers to. It may be undone already. */
  changeToUndo?: ChangeWithUndo | undefined;
}

/** The content that a request is to leave in an environment. */
export interface Plan extends EnvironmentContent {
  /** The change that the plan undoes. */
  undoneChange?: EnvironmentChange | undefined;
  /** The guard, if this plan is the undo that a guard's trip makes. */
  trippedGuardName?: string | undefined;
  hint?: string | undefined;
}

/** ETags without their quotes; "*" matches any. */
export type Etags = "*" | readonly string[];

/** The conditions of RFC 9110 section 13.1. */
export interface Preconditions {
  ifMatch?: Etags | undefined;
  ifNoneMatch?: Etags | undefined;
}

/** What a request does in each environment. */
export type Edit = PatchEdit | StrategyEdit | SwitchEdit | UndoEdit;

/** A patch of the variants in this form, or of all that an environment has. */
export type PatchEdit =
  | { kind: "patch"; patch: Patch; root: "variants"; form: VariantForm }
  | { kind: "patch"; patch: Patch; root: "environment" };

/** A change of the strategy with this id. A patch that adds it applies to null. */
export type StrategyEdit = { kind: "strategy"; id: string } & (
  | { action: "add" | "patch"; patch: Patch }
  | { action: "remove" }
);

interface SwitchEdit {
  kind: "switch";
  enabled: boolean;
}

export interface UndoEdit {
  kind: "undo";
  changeId: string;
  /** That of the variants in the response. */
  form: VariantForm;
  /** The guard of a trip: the change is undone only while it is under this guard. */
  trippedGuardName?: string | undefined;
}

export interface ChangeRequest {
  target: Target;
  caller: Caller;
  stamp: Stamp;
  edit: Edit;
  preconditions: Preconditions;
  /** A failure in planning one environment refuses a strict request in all, before its first write. */
  isStrict: boolean;
  /** The largest share of an environment's users that may move. */
  mostMoves: number | undefined;
}
