/** Writes one environment. After a write conflict, plans again for the environment as it is stored by then. */
import { NotFoundError, orUnknownOutcome, PreconditionFailed, toApiError } from "../contract/errors.ts";
import { afterConflict, ifSame, type Rewriting } from "./after-conflict.ts";
import type { Backoff } from "./backoff.ts";
import { lookUp } from "./look-up.ts";
import type { ChangeRequest, EnvironmentState, Found } from "./model.ts";
import { endedAs, failedWith, type KeptOutcome, type Outcome, type PlannedOutcome } from "./outcome.ts";
import { planEnvironment } from "./plan-change.ts";
import type { EnvironmentStore } from "./stores.ts";

/** Does not throw: an error is a failed outcome. */
export async function changeEnvironment(
  store: EnvironmentStore,
  backoff: Backoff,
  request: ChangeRequest,
  planned: KeptOutcome,
): Promise<Outcome> {
  const { feature } = request.target;
  const rewriting: Rewriting<EnvironmentState, Found> = {
    backoff,
    subject: "It",
    read: () => store.readEnvironment(feature, planned.before.environment),
    findOwnWrite: (before, stored) => findOwnChange(store, request, before, stored),
  };
  let outcome: KeptOutcome = planned;
  try {
    backoff.begin();
    if (outcome.kind === "pending" && backoff.othersAreStale) {
      outcome = await replan(store, request, outcome, ifSame(await rewriting.read(), planned.before));
    }
    while (outcome.kind === "pending") {
      const { before, after, hint } = outcome;
      const result = await store.writeEnvironment(feature, before, after);
      if (result.written) return { ...outcome, kind: "written" };
      const { ownWrite, fresh } = await afterConflict(rewriting, before, result);
      if (ownWrite) return endedAs(ownWrite.state, "written", hint);
      outcome = await replan(store, request, outcome, fresh);
    }
    return outcome;
  } catch (thrown) {
    return failedWith(planned.before, toApiError(thrown));
  }
}

async function findOwnChange(
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
): Promise<KeptOutcome> {
  const { target, preconditions } = request;
  const [found] = state ? await lookUp(store, [state], request) : [];
  // A parallel retry has made the change.
  if (found?.ownChange) return endedAs(found.state, "written", hint);
  const hasEtag = preconditions.ifMatch !== undefined && preconditions.ifMatch !== "*";
  const isChanged = found?.state.revision !== before.revision;
  if (hasEtag && isChanged) throw new PreconditionFailed("It was changed or deleted in the meantime");
  if (!found) throw new NotFoundError("It was deleted in the meantime; nothing was written here");
  const outcome = planEnvironment(request, found);
  const [kept] = await store.keepChanges(target.feature, [outcome]);
  return kept;
}
