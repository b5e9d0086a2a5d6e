/** Trips a guard: undoes, in one environment, the change of each feature that is on top, under the guard and in its time. */
import type { Caller } from "../../access/permissions.ts";
import { ConflictError, NotFoundError, TemporarilyUnavailable, toApiError } from "../../contract/errors.ts";
import type { TrippedFeature } from "../../contract/guards.ts";
import type { Clock } from "../change/backoff.ts";
import { changeFeature, previewFeature } from "../change/change-feature.ts";
import { findChange } from "../history/look-up.ts";
import type { ChangeRequest, EnvironmentState, States } from "../model.ts";
import { roundMoves } from "../moves/moves.ts";
import { newId, type Stamp } from "../stamp.ts";
import type { EnvironmentStore, GuardReader } from "../stores.ts";
import { compareCodePoints } from "../tags/tag-list.ts";
import { isUnder, wouldBeUnder } from "./guards.ts";

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

/** In order of name. Where the table fails, the error has the features so far; another trip goes on. */
export async function tripGuard(store: GuardStore, clock: Clock, trip: Trip): Promise<TrippedFeature[]> {
  const guarded = await store.readGuarded(trip, trip.guard);
  const features = [...new Set(guarded.map(({ feature }) => feature))].sort(compareCodePoints);
  const tripped: TrippedFeature[] = [];
  for (const feature of features) {
    const changes = guarded.filter((one) => one.feature === feature).map(({ change }) => change);
    try {
      const one = await tripFeature(store, clock, { ...trip, feature, changes });
      if (one) tripped.push(one);
    } catch (thrown) {
      const error = toApiError(thrown);
      if (error instanceof TemporarilyUnavailable) throw error.with({ details: tripped.map(toDetail) });
      throw error;
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

/** Undefined if nothing of the feature is under the guard. */
async function tripFeature(
  store: GuardStore,
  clock: Clock,
  trip: FeatureTrip,
): Promise<TrippedFeature | undefined> {
  const states = await readIfExists(store, trip);
  const [state] = states;
  if (!state) return undefined;
  const { top } = state;
  if (top && isUnder(top, trip.guard)) return undo(store, clock, trip, top.id);
  const change = await findCovered(store, state, trip);
  if (change === undefined) return undefined;
  return {
    feature: trip.feature,
    change,
    outcome: "changed since",
    message: `It was changed since by ${top?.id}`,
  };
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
  change: string,
): Promise<TrippedFeature | undefined> {
  const { sent: _, ...rest } = stamp;
  const request: ChangeRequest = {
    target: { project, feature, environment },
    caller,
    stamp: { ...rest, id: newId() },
    edit: { kind: "undo", change, guard },
    preconditions: {},
    strict: true,
  };
  try {
    const { outcomes } = dryRun
      ? await previewFeature(store, request)
      : await changeFeature(store, clock, request);
    const [made] = outcomes;
    if (made?.kind !== "pending" && made?.kind !== "written") return undefined;
    const outcome = made.kind === "pending" ? "would undo" : "undone";
    return { feature, change, outcome, ...(made.moves && { moves: roundMoves(made.moves) }) };
  } catch (thrown) {
    const error = toApiError(thrown);
    if (error.status >= 500) throw error;
    const isChangedSince = error instanceof ConflictError && error.code === undefined;
    const outcome = isChangedSince ? "changed since" : "failed";
    return { feature, change, outcome, message: error.message };
  }
}

/** The newest change in effect below the top that would be under the guard. */
async function findCovered(
  store: GuardStore,
  state: EnvironmentState,
  { changes, guard }: FeatureTrip,
): Promise<string | undefined> {
  const found = await Promise.all(changes.map((id) => findChange(store, [state], id)));
  const covered = found
    .flat()
    .flatMap((made) => (made && made.undoneBy === undefined ? made.change : []))
    .filter((change) => change.revision !== state.top?.revision && wouldBeUnder(change, guard));
  return covered.sort((left, right) => right.revision - left.revision)[0]?.id;
}
