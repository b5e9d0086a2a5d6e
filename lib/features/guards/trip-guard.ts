/** Trips a guard: undoes, in one environment, the change of each feature that is on top, under the guard and in its time. */
import type { Caller } from "../../access/permissions.ts";
import {
  type ApiError,
  ConflictError,
  NotFoundError,
  TemporarilyUnavailable,
  toApiError,
} from "../../contract/errors.ts";
import type { TrippedFeature } from "../../contract/guards.ts";
import type { Clock } from "../change/backoff.ts";
import { changeFeature, previewFeature } from "../change/change-feature.ts";
import { toTop } from "../change/next-state.ts";
import { findChange } from "../history/look-up.ts";
import { isUnder } from "../history/plan-undo.ts";
import type { ChangeRequest, EnvironmentState, States } from "../model.ts";
import { roundMoves } from "../moves/moves.ts";
import { newId, type Stamp } from "../stamp.ts";
import type { EnvironmentStore, GuardReader } from "../stores.ts";
import { compareCodePoints } from "../tags/tag-list.ts";

export type GuardStore = EnvironmentStore & GuardReader;

export interface Trip {
  project: string;
  environment: string;
  guard: string;
  caller: Caller;
  /** Each undo gets an id of its own. */
  stamp: Stamp;
  dryRun: boolean;
}

interface Ended extends TrippedFeature {
  /** Of a feature that failed for no reason that its caller could know. */
  error?: ApiError;
}

/**
 * In order of name. A feature that fails is one of them, and the others go on. Where the table fails, the error has the
 * features so far; another trip goes on.
 */
export async function tripGuard(store: GuardStore, clock: Clock, trip: Trip): Promise<Ended[]> {
  const guarded = await store.readGuarded(trip, trip.guard);
  const features = [...new Set(guarded.map(({ feature }) => feature))].sort(compareCodePoints);
  const tripped: Ended[] = [];
  for (const feature of features) {
    const changes = guarded.filter((one) => one.feature === feature).map(({ change }) => change);
    try {
      const one = await tripFeature(store, clock, { ...trip, feature, changes });
      if (one) tripped.push(one);
    } catch (thrown) {
      throw toApiError(thrown).with({ details: tripped.map(toDetail) });
    }
  }
  return tripped;
}

function toDetail({ feature, change, outcome }: TrippedFeature) {
  return { feature, change, outcome };
}

interface FeatureTrip extends Trip {
  feature: string;
  /** The changes that may be under the guard. */
  changes: readonly string[];
}

/** Undefined if nothing of the feature is under the guard. Throws only where the table fails. */
async function tripFeature(store: GuardStore, clock: Clock, trip: FeatureTrip): Promise<Ended | undefined> {
  const { feature, guard, changes } = trip;
  let [change = ""] = changes;
  try {
    const [state] = await readIfExists(store, trip);
    if (!state) return undefined;
    const { top } = state;
    if (top && isUnder(top, guard)) {
      change = top.id;
      return await undo(store, clock, trip, change);
    }
    const covered = await findCovered(store, state, trip);
    if (covered === undefined) return undefined;
    return {
      feature,
      change: covered,
      outcome: "changed since",
      message: `It was changed since by ${top?.id}`,
    };
  } catch (thrown) {
    const error = toApiError(thrown);
    if (error instanceof TemporarilyUnavailable) throw error;
    const isChangedSince = error instanceof ConflictError && error.code === undefined;
    const outcome = isChangedSince ? "changed since" : "failed";
    return {
      feature,
      change,
      outcome,
      message: error.message,
      ...(error.status >= 500 && { error }),
    };
  }
}

/** A feature may be deleted, or be another project's by now. */
async function readIfExists(store: GuardStore, trip: FeatureTrip): Promise<States> {
  try {
    return await store.readEnvironments(trip);
  } catch (error) {
    if (error instanceof NotFoundError) return [];
    throw error;
  }
}

async function undo(
  store: GuardStore,
  clock: Clock,
  { project, feature, environment, guard, caller, stamp, dryRun }: FeatureTrip,
  changeId: string,
): Promise<TrippedFeature | undefined> {
  const { requestHash: _, ...rest } = stamp;
  const request: ChangeRequest = {
    target: { project, feature, environment },
    caller,
    stamp: { ...rest, id: newId() },
    edit: { kind: "undo", changeId, trippedGuard: guard },
    preconditions: {},
    strict: true,
  };
  const { outcomes } = dryRun
    ? await previewFeature(store, request)
    : await changeFeature(store, clock, request);
  const [made] = outcomes;
  if (made?.kind !== "pending" && made?.kind !== "written") return undefined;
  const outcome = made.kind === "pending" ? "would undo" : "undone";
  return { feature, change: changeId, outcome, ...(made.moves && { moves: roundMoves(made.moves) }) };
}

/** The newest change in effect below the top that would be under the guard. */
async function findCovered(
  store: GuardStore,
  state: EnvironmentState,
  { changes, guard }: FeatureTrip,
): Promise<string | undefined> {
  const found = await Promise.all(changes.map((id) => findChange(store, [state], id)));
  const covered = found
    .flatMap((made) => [...made.values()])
    .flatMap(({ change, undoneBy }) => (undoneBy === undefined ? change : []))
    .filter((change) => change.revision !== state.top?.revision && isUnder(toTop(change), guard));
  return covered.sort((left, right) => right.revision - left.revision)[0]?.id;
}
