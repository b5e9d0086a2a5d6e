/** Writes one environment. After a write conflict, plans again for the environment as it is stored by then. */
import { NotFoundError, orUnknownOutcome, PreconditionFailed, toApiError } from "../../contract/errors.ts";
import { requiresEtag } from "../etags.ts";
import { lookUp } from "../history/look-up.ts";
import type { ChangeRequest, EnvironmentState, TargetEnvironment } from "../model.ts";
import type { EnvironmentStore } from "../stores.ts";
import { afterConflict, type ConflictHandling, unlessRecreated } from "./after-conflict.ts";
import type { Backoff } from "./backoff.ts";
import { endedAs, failedWith, type Outcome, type PlannedOutcome, type WritableOutcome } from "./outcome.ts";
import { planEnvironment } from "./plan-change.ts";

/** Does not throw: an error is a failed outcome. */
export async function changeEnvironment(
  store: EnvironmentStore,
  backoff: Backoff,
  request: ChangeRequest,
  planned: WritableOutcome,
): Promise<Outcome> {
  const { feature } = request.target;
  const handling: ConflictHandling<EnvironmentState, TargetEnvironment> = {
    backoff,
    subject: "It",
    read: () => store.readEnvironment(feature, planned.before.environment),
    findOwnWrite: (before, stored) => findOwnChange(store, request, before, stored),
  };
  let outcome: WritableOutcome = planned;
  try {
    backoff.begin();
    if (outcome.kind === "pending" && backoff.hasPaused) {
      outcome = await replan(store, request, outcome, unlessRecreated(await handling.read(), planned.before));
    }
    while (outcome.kind === "pending") {
      const { before, after, hint, moves } = outcome;
      const result = await store.writeEnvironment(feature, before, after);
      if (result.written) return { ...outcome, kind: "written" };
      const found = await afterConflict(handling, before, result);
      if (found.ownWrite) return endedAs(found.ownWrite.state, "written", { hint, moves });
      outcome = await replan(store, request, outcome, found.next);
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
): Promise<TargetEnvironment | undefined> {
  // The environment knows the ids of its newest changes. Where these reach back to `before`, a write of this request would
  // be among them, so no item has to be read.
  const revisionsSince = stored.revision - before.revision;
  const ids = [...stored.carried.map(({ id }) => id), ...stored.olderIds].slice(0, revisionsSince);
  if (ids.length === revisionsSince && !ids.includes(request.stamp.id)) return undefined;
  const [found] = await orUnknownOutcome(lookUp(store, [stored], request, { mayHaveWritten: true }));
  return found?.ownChange ? found : undefined;
}

async function replan(
  store: EnvironmentStore,
  request: ChangeRequest,
  { before, hint, moves }: PlannedOutcome,
  state: EnvironmentState | undefined,
): Promise<WritableOutcome> {
  const { target, preconditions } = request;
  const [found] = state ? await lookUp(store, [state], request) : [];
  // A parallel retry has made the change.
  if (found?.ownChange) return endedAs(found.state, "written", { hint, moves });
  const isSameRevision = found?.state.revision === before.revision;
  // Throws after a deletion too: `changeFeature` then starts over, and ends with the current ETag or a 404.
  if (requiresEtag(preconditions) && !isSameRevision) {
    throw new PreconditionFailed("It was changed or deleted in the meantime", { code: "changed-meanwhile" });
  }
  if (!found) throw new NotFoundError("It was deleted in the meantime; nothing was written here");
  const outcome = planEnvironment(request, found);
  return await store.prepareWrite(target, outcome);
}
