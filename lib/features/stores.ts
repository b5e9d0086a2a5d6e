/** The interfaces through which `lib/features` and the routes read and write the table. `lib/store` implements them. */
import type { Clock } from "../clock.ts";
import type { WriteDoubt } from "../contract/errors.ts";
import type { Deletion } from "../contract/responses/features.ts";
import type { ListedFeature, Project } from "../contract/responses/lists.ts";
import type { Outcome, PreparedOutcome, WritableState } from "./change/outcome.ts";
import type {
  ChangeWithUndo,
  EnvironmentChange,
  EnvironmentState,
  EnvironmentStates,
  FeatureState,
  IndexedContent,
  Preconditions,
  TagState,
  Target,
} from "./model.ts";
import type { Stamp } from "./stamp.ts";

export type WriteResult<State> = { isStored: true } | Conflict<State>;

export interface Conflict<State> extends WriteDoubt {
  isStored: false;
  /** The state that made the condition fail, if the table returned it. */
  stored?: State | undefined;
}

export interface TagReader {
  readTags(feature: string): Promise<TagState | undefined>;
}

/** A store that takes part in the smoke test of a deployment. */
export interface SmokeTested {
  /** Makes each call so that it changes nothing, to find missing permissions. Returns the failures. */
  smokeTest(): Promise<readonly string[]>;
}

export interface TagStore extends TagReader, SmokeTested {
  /** Requires that `before` is the current revision. */
  writeTags(feature: string, before: TagState, after: TagState): Promise<WriteResult<TagState>>;
}

export interface EnvironmentReader {
  /** Throws a NotFoundError if the feature or the environment of the target does not exist. */
  readEnvironments(target: Target): Promise<EnvironmentStates>;

  /**
   * Returns, by the uid of the environment, each change item with this id, and its undo if it has a mark. Carried changes
   * are not among them.
   */
  readChangeItems(id: string): Promise<ReadonlyMap<string, ChangeWithUndo>>;

  /**
   * Returns the newest changes of each environment, newest first. A list ends at the first change that is deleted, or
   * that was not read.
   */
  readNewestChanges(states: EnvironmentStates): Promise<NewestChanges[]>;
}

export interface FeatureReader {
  /** Reads the tags too. Throws as `readEnvironments` does. */
  readFeature(target: Target): Promise<FeatureState>;
}

/** Creates, deletes and restores features. */
export interface FeatureLifecycle {
  /**
   * Creates a feature in every environment of the project, off and without variants. A retry, whose stamp has the
   * same id, finds what it has created. Throws a NotFoundError if there is no such project, and a ConflictError if the
   * feature exists.
   */
  createFeature(clock: Clock, target: Target, stamp: Stamp): Promise<void>;

  /**
   * Deletes a feature and keeps its content, or completes a deletion that was interrupted. Throws a NotFoundError if
   * the project has no such feature, and a PreconditionFailed if a precondition does not hold for the feature.
   */
  deleteFeature(clock: Clock, target: Target, preconditions: Preconditions, stamp: Stamp): Promise<Deletion>;

  /**
   * Creates the last deleted feature of this name again. A retry, whose stamp has the same id, finds what it has
   * created. Throws a NotFoundError if the project has no such deletion, and a ConflictError if the feature exists.
   */
  restoreFeature(clock: Clock, target: Target, stamp: Stamp): Promise<void>;
}

/** The newest changes of an environment, whose state is `state`. */
export interface NewestChanges {
  state: EnvironmentState;
  changes: readonly EnvironmentChange[];
  hasMore: boolean;
}

export interface GuardReader {
  /** Returns all changes that are under the guard, and some whose time has ended or that were never made. */
  readGuardCandidates(guard: GuardTarget): Promise<readonly GuardCandidate[]>;

  /** Throws a NotFoundError if there is no such project, or if the project has no such environment. */
  requireProjectEnvironment(project: string, environment: string): Promise<void>;
}

/** A guard by its name, in one environment of a project. */
export interface GuardTarget {
  project: string;
  environment: string;
  guardName: string;
}

export interface GuardCandidate {
  feature: string;
  changeId: string;
}

export interface EnvironmentStore extends EnvironmentReader, SmokeTested {
  /** Does not compare the project, unlike `readEnvironments`: the caller compares the uid with the one that it has read. */
  readStoredEnvironment(feature: string, environment: string): Promise<EnvironmentState | undefined>;

  /**
   * Puts an item of each change that a planned write will drop, and for each change under a guard an item by which a
   * trip finds it. Returns the same outcomes, which may be written from now on.
   */
  prepareWrites(target: Target, planned: readonly Outcome[]): Promise<readonly PreparedOutcome[]>;

  prepareWrite(target: Target, planned: Outcome): Promise<PreparedOutcome>;

  /** Requires that `before` is the current revision. */
  writeEnvironment(
    feature: string,
    before: WritableState,
    after: EnvironmentState,
  ): Promise<WriteResult<EnvironmentState>>;
}

/** All that the function `variants` needs of the table. */
export type FeatureStore = EnvironmentStore & FeatureReader & FeatureLifecycle & GuardReader;

export interface PageRange {
  after?: string | undefined;
  limit: number;
}

/** The contents of features in one environment, by the name of the feature. */
export interface ContentPage {
  contents: ReadonlyMap<string, IndexedContent>;
  /** The name at which the query ended, if there may be more after it. */
  end?: string;
}

export interface ListReader {
  readProjects(): Promise<readonly Project[]>;

  readProject(id: string): Promise<Project | undefined>;

  readFeatures(project: string, range: PageRange): Promise<readonly ListedFeature[]>;

  readListedContents(project: string, environment: string, range: PageRange): Promise<ContentPage>;
}
