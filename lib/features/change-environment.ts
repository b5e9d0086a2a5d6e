/** Writes one environment. After a write conflict, plans again for the environment as it is stored by then. */
import {
  ConflictError,
  NotFoundError,
  orUnknownOutcome,
  PreconditionFailed,
  toApiError,
} from "../contract/errors.ts";
import type { Backoff } from "./backoff.ts";
import { lookUp } from "./look-up.ts";
import type { ChangeRequest, EnvironmentState, Found } from "./model.ts";
import { endedAs, failedWith, type KeptOutcome, type Outcome, type PlannedOutcome } from "./outcome.ts";
import { planEnvironment } from "./plan-change.ts";
import type { Conflict, EnvironmentStore } from "./stores.ts";

/** Does not throw: an error is a failed outcome. */
export async function changeEnvironment(
  store: EnvironmentStore,
  backoff: Backoff,
  request: ChangeRequest,
  planned: KeptOutcome,
): Promise<Outcome> {
  let outcome: KeptOutcome = planned;
  try {
    backoff.begin();
    if (outcome.kind === "pending" && backoff.othersAreStale) {
      outcome = await replan(
        store,
        request,
        outcome,
        await readUnlessRecreated(store, request, planned.before),
      );
    }
    while (outcome.kind === "pending") {
      const { before, after, hint } = outcome;
      const result = await store.writeEnvironment(request.target, before, after);
      if (result.written) return { ...outcome, kind: "written" };
      const stored = await stateAfterConflict(store, request, before, result);
      const ownWrite = stored && (await findOwnWrite(store, request, before, stored));
      if (ownWrite) return endedAs(ownWrite.state, "written", hint);
      // During a pause the request that caused the conflict can proceed. After a lost response there may be no such
      // request. Without a pause, the next plan starts from the state that the failed write returned.
      const hasPaused = stored && !result.responseWasLost && (await backoff.pause());
      const fresh = hasPaused ? await readUnlessRecreated(store, request, before) : stored;
      outcome = await replan(store, request, outcome, fresh, { mayBeStored: !stored });
    }
    return outcome;
  } catch (thrown) {
    return failedWith(planned.before, toApiError(thrown));
  }
}

/** Undefined if the environment was deleted, or created again. */
async function readUnlessRecreated(
  store: EnvironmentStore,
  { target }: ChangeRequest,
  before: EnvironmentState,
): Promise<EnvironmentState | undefined> {
  return ifSame(await store.readEnvironment(target, before.environment), before);
}

function ifSame(state: EnvironmentState | undefined, { uid }: EnvironmentState) {
  return state?.uid === uid ? state : undefined;
}

/**
 * Returns the state that the failed write returned, or else reads it now; undefined if the environment was deleted, or
 * created again. No copy of the write can be stored any more: revisions only grow, so its condition can never hold again.
 */
async function stateAfterConflict(
  store: EnvironmentStore,
  request: ChangeRequest,
  before: EnvironmentState,
  { responseWasLost, current }: Conflict<EnvironmentState>,
): Promise<EnvironmentState | undefined> {
  const stored = current
    ? ifSame(current, before)
    : await orUnknownOutcome(readUnlessRecreated(store, request, before));
  if (!stored && responseWasLost) throw deletedAfterLostResponse();
  return stored;
}

/** Looks for the write itself: its response may be lost, or a proxy may have sent it twice and returned the refusal. */
async function findOwnWrite(
  store: EnvironmentStore,
  request: ChangeRequest,
  before: EnvironmentState,
  stored: EnvironmentState,
): Promise<Found | undefined> {
  // The environment knows the ids of its newest changes. If it knows one for each revision since, and none is the
  // request's own, then the write is not stored, and nothing is looked up.
  const revisionsSince = stored.revision - before.revision;
  const ids = [...stored.carried.map(({ id }) => id), ...stored.olderIds].slice(0, revisionsSince);
  if (ids.length === revisionsSince && !ids.includes(request.stamp.id)) return undefined;
  const [found] = await orUnknownOutcome(lookUp(store, [stored], request, { mayHaveWritten: true }));
  return found?.ownChange && found;
}

async function replan(
  store: EnvironmentStore,
  request: ChangeRequest,
  { before, hint }: PlannedOutcome,
  state: EnvironmentState | undefined,
  /** Whether a copy of the failed write may have been stored before the environment was deleted. */
  { mayBeStored = false } = {},
): Promise<KeptOutcome> {
  const { target, preconditions } = request;
  const [found] = state ? await lookUp(store, [state], request) : [];
  // A parallel retry has made the change.
  if (found?.ownChange) return endedAs(found.state, "written", hint);
  if (!found && mayBeStored) throw deletedAfterRefusal();
  const hasEtag = preconditions.ifMatch !== undefined && preconditions.ifMatch !== "*";
  const isChanged = found?.state.revision !== before.revision;
  if (hasEtag && isChanged) throw new PreconditionFailed("It was changed or deleted in the meantime");
  if (!found) throw new NotFoundError("It was deleted in the meantime; nothing was written here");
  const outcome = planEnvironment(request, found);
  const [kept] = await store.keepChanges(target, [outcome]);
  return kept;
}

/**
 * A 404, as the table has responded that the environment is not there. It may be the response of a second copy that a
 * proxy sent: then the first copy may have been stored before the environment was deleted.
 */
function deletedAfterRefusal(): NotFoundError {
  return new NotFoundError(
    "It was deleted in the meantime; it is not known whether the write was stored before",
    { mayBeStored: true },
  );
}

/** A 409, as no response says that the write was refused: it may well be stored. */
function deletedAfterLostResponse(): ConflictError {
  return new ConflictError(
    "It is not known whether the write was stored: its response was lost, and the environment was deleted since",
    { mayBeStored: true },
  );
}
