/** Writes one environment; after a write conflict, looks it up and plans it again. */
import {
  ConflictError,
  NotFoundError,
  PreconditionFailed,
  toApiError,
  toUnknownOutcome,
} from "../contract/errors.ts";
import type { Backoff } from "./backoff.ts";
import { lookUp } from "./look-up.ts";
import type { ChangeRequest, EnvironmentState, Found } from "./model.ts";
import { type Done, endedAs, failedWith, type Planned } from "./outcome.ts";
import { planEnvironment } from "./plan-change.ts";
import type { Conflict, VariantStore } from "./stores.ts";

/**
 * Needs `keepChanges` of the planned state before it, as the write may drop the changes that it carries. Does not throw: an
 * error is a failed outcome.
 */
export async function changeEnvironment(
  store: VariantStore,
  backoff: Backoff,
  request: ChangeRequest,
  planned: Planned,
): Promise<Done> {
  let outcome: Planned = planned;
  try {
    backoff.begin();
    if (outcome.kind === "pending" && backoff.hasPaused) {
      outcome = await replan(store, request, outcome);
    }
    while (outcome.kind === "pending") {
      const { before, after } = outcome;
      const result = await store.writeVariants(request.target, before, after);
      if (result.written) return { ...outcome, kind: "written" };
      // After a lost response the write most likely met its own copy: there is no other request to wait for.
      const hasPaused = !result.responseWasLost && (await backoff.pause());
      // After a pause, what the write met is old.
      outcome = await replan(store, request, outcome, hasPaused ? {} : result);
    }
    return outcome;
  } catch (thrown) {
    return failedWith(planned.before, toApiError(thrown));
  }
}

async function replan(
  store: VariantStore,
  request: ChangeRequest,
  { before, hint }: Planned,
  { responseWasLost = false, current }: Partial<Conflict<EnvironmentState>> = {},
): Promise<Planned> {
  const found = await lookUpAgain(store, request, before, { responseWasLost, current }).catch((error) => {
    // Without a look-up the outcome of a lost response is unknown.
    throw responseWasLost && toApiError(error).status >= 500 ? toUnknownOutcome(error) : error;
  });
  // By the write whose response was lost, or by a parallel retry.
  if (found?.ownChange) return endedAs(found.state, "written", hint);
  if (!found && responseWasLost) throw deletedSince();
  const { ifMatch } = request.preconditions;
  const hasEtag = ifMatch !== undefined && ifMatch !== "*";
  const isChanged = found?.state.revision !== before.revision;
  if (hasEtag && isChanged) throw new PreconditionFailed("It was changed or deleted in the meantime");
  if (!found) throw new NotFoundError("It was deleted in the meantime; nothing was written here");
  const outcome = planEnvironment(request, found);
  if (outcome.kind === "pending") await store.keepChanges(request.target, [found.state]);
  return outcome;
}

/** Undefined if the environment was deleted, or created again. */
async function lookUpAgain(
  store: VariantStore,
  request: ChangeRequest,
  { environment, uid }: EnvironmentState,
  { responseWasLost, current }: Pick<Conflict<EnvironmentState>, "responseWasLost" | "current">,
): Promise<Found | undefined> {
  const state = current ?? (await store.readEnvironment(request.target, environment));
  if (state?.uid !== uid) return undefined;
  const [found] = await lookUp(store, [state], request, { mayBeStored: responseWasLost });
  return found;
}

function deletedSince(): ConflictError {
  return new ConflictError(
    "It is not known whether the write was stored: its response was lost, and the environment was deleted since",
    { mayBeStored: true },
  );
}
