/** Trips a guard: in one environment, undoes the top of each feature that is under this guard, while its time lasts. */
import type { Caller } from "../../access/permissions.ts";
import type { Clock } from "../../clock.ts";
import { compareCodePoints } from "../../code-points.ts";
import {
  type ApiError,
  afterColon,
  NotFoundError,
  TemporarilyUnavailable,
  toApiError,
} from "../../contract/errors.ts";
import type { FeatureOutcome } from "../../contract/responses/error-body.ts";
import type { TrippedFeature } from "../../contract/responses/guards.ts";
import { changeFeature, previewChange } from "../change/change-feature.ts";
import { ChangedSinceError, changedSinceBy } from "../history/plan-undo.ts";
import { isUnderGuard } from "../history/top.ts";
import type { ChangeRequest } from "../model.ts";
import { roundMoves } from "../moves/moved-share.ts";
import { newId, type Stamp } from "../stamp.ts";
import type { EnvironmentStore, GuardReader, GuardTarget } from "../stores.ts";
import { findGuardedBelowTop } from "./below-top.ts";

export type GuardStore = EnvironmentStore & GuardReader;

export interface Trip extends GuardTarget {
  caller: Caller;
  /** Each undo gets an id of its own. */
  stamp: Stamp;
  dryRun: boolean;
}

interface FeatureResult extends TrippedFeature {
  /** Why the feature has failed. */
  error?: ApiError;
}

/**
 * Returns the features in the order of their names. Throws a NotFoundError if there is no such environment.
 *
 * If a feature fails:
 *
 *   temporarily   because the table fails or the deadline is near: the trip ends with this error. A later trip undoes the rest
 *   otherwise     the trip continues with the other features, and throws the error of the first by name at the end. A
 *                 webhook sees the status alone, so a 200 would hide the failure. A dry run returns the feature as failed
 */
export async function tripGuard(store: GuardStore, clock: Clock, trip: Trip): Promise<TrippedFeature[]> {
  const candidates = await store.readGuardCandidates(trip);
  if (candidates.length === 0) await store.requireProjectEnvironment(trip.project, trip.environment);
  const features = [...new Set(candidates.map(({ feature }) => feature))].sort(compareCodePoints);
  // Begins at a random feature. If one conflicts until the deadline, another trip may undo others before it.
  const start = Math.floor(Math.random() * features.length);
  const results: FeatureResult[] = [];
  for (const feature of [...features.slice(start), ...features.slice(0, start)]) {
    const changeIds = new Set(
      candidates.filter((candidate) => candidate.feature === feature).map(({ changeId }) => changeId),
    );
    const result = await tripInFeature(store, clock, { ...trip, feature, changeIds }).catch((thrown) =>
      resultOfError(thrown, { feature }),
    );
    if (result) results.push(result);
    if (isTemporary(result)) break;
  }
  results.sort((one, other) => compareCodePoints(one.feature, other.feature));
  const failed = failureToThrow(results, trip);
  if (failed?.error) throw withTripDetails(failed.error, failed.feature, results);
  return results.map(({ error: _, ...feature }) => feature);
}

/** The temporary failure ended the trip, so it comes before those that the trip continued after. */
function failureToThrow(results: readonly FeatureResult[], { dryRun }: Trip): FeatureResult | undefined {
  return results.find(isTemporary) ?? (dryRun ? undefined : results.find(({ error }) => error));
}

function isTemporary(result: FeatureResult | undefined): boolean {
  return result?.error instanceof TemporarilyUnavailable;
}

/**
 * Returns the error with the feature that failed, and the result of each feature so far. It names no change, because a
 * trip can undo several.
 */
function withTripDetails(error: ApiError, feature: string, results: readonly FeatureResult[]): ApiError {
  const message = `feature "${feature}": ${afterColon(error.message)}`;
  return error.with({ message, details: results.map(detailOfResult), changeId: undefined });
}

function detailOfResult({ error, moves: _, ...detail }: FeatureResult): FeatureOutcome {
  return { ...detail, ...(error?.code && { code: error.code }) };
}

interface TripOfFeature extends Trip {
  feature: string;
  /** The changes that may be under the guard. */
  changeIds: ReadonlySet<string>;
}

/** Undoes the top if it is under the guard. Returns undefined if nothing of the feature is under the guard. */
async function tripInFeature(
  store: GuardStore,
  clock: Clock,
  trip: TripOfFeature,
): Promise<FeatureResult | undefined> {
  const { feature, guardName } = trip;
  const [state] = await store.readEnvironments(trip);
  const top = state?.top;
  if (!top) return undefined;
  if (isUnderGuard(top, guardName)) {
    // Caught here already, to say which change has failed.
    return undoTop(store, clock, trip, top.id).catch((thrown) =>
      resultOfError(thrown, { feature, change: top.id }),
    );
  }
  const changedSince = await findGuardedBelowTop(store, { ...state, top }, trip);
  if (!changedSince) return undefined;
  const { message } = changedSinceBy(top);
  return { feature, change: changedSince.id, outcome: "changed since", message };
}

/** Returns undefined if the feature was deleted, or is in another project by now. */
function resultOfError(
  thrown: unknown,
  tripped: Pick<TrippedFeature, "feature" | "change">,
): FeatureResult | undefined {
  const error = toApiError(thrown);
  if (error instanceof NotFoundError) return undefined;
  const { message } = error;
  return error instanceof ChangedSinceError
    ? { ...tripped, outcome: "changed since", message }
    : { ...tripped, outcome: "failed", message, error: unavailableIfLate(error) };
}

/** Turns the error of a conflict that lasted until the deadline into a temporary one: another trip can undo the change. */
function unavailableIfLate(error: ApiError): ApiError {
  const { code, message } = error;
  return code === "gave-up" ? new TemporarilyUnavailable(message, { code, cause: error }) : error;
}

async function undoTop(
  store: GuardStore,
  clock: Clock,
  { project, feature, environment, guardName, caller, stamp, dryRun }: TripOfFeature,
  changeId: string,
): Promise<TrippedFeature | undefined> {
  // Without the hash, `changeFeature` looks for no own change: each undo has a new id, so an idempotency key has no effect
  // on a trip.
  const { requestHash: _, ...rest } = stamp;
  const request: ChangeRequest = {
    target: { project, feature, environment },
    caller,
    stamp: { ...rest, id: newId() },
    edit: { kind: "undo", changeId, form: "index", trippedGuardName: guardName },
    preconditions: {},
    isStrict: true,
    mostMoves: undefined,
  };
  const { outcomes } = dryRun
    ? await previewChange(store, request)
    : await changeFeature(store, clock, request);
  const undone = outcomes.find(({ kind }) => kind === "pending" || kind === "written");
  if (!undone) return undefined;
  const outcome = undone.kind === "pending" ? "would undo" : "undone";
  return { feature, change: changeId, outcome, ...(undone.moves && { moves: roundMoves(undone.moves) }) };
}
