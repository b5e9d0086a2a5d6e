/**
 * Writes the environments that a request changes, one after the other. After a write conflict, plans one again for the
 * environment as it is stored by then.
 */
import { isDeepStrictEqual } from "node:util";
import type { Clock } from "../../clock.ts";
import { ConflictError, NotFoundError, rethrowAsUnknownOutcome, toApiError } from "../../contract/errors.ts";
import { type ConflictContext, handleConflict, stateOfSameUid } from "../conflicts/after-conflict.ts";
import { type Backoff, createBackoff, startRound } from "../conflicts/backoff.ts";
import { listsEtags } from "../etags.ts";
import { lookUpChangesOrRefuse } from "../history/look-up.ts";
import type { ChangeRequest, EnvironmentChange, EnvironmentState } from "../model.ts";
import { adoptTimeAndOptions, type Stamp } from "../stamp.ts";
import type { EnvironmentStore } from "../stores.ts";
import {
  type EndedOutcome,
  failedOutcome,
  needsNoPreparation,
  type Outcome,
  outcomeAsFound,
  outcomeIfNotReached,
  type PreparedOutcome,
} from "./outcome.ts";
import { movesOfOwnChange, planEnvironment } from "./plan-change.ts";

/**
 * Messages need not name the environment: `requireSuccess` puts its name before each, and a detail has it as a member.
 * An environment is deleted with its feature, or if its project loses it.
 */
const subject = "This environment of the feature";

type Context = ConflictContext<EnvironmentState, EnvironmentChange>;

/**
 * Returns the outcome of each environment. Ends at the first failure, planned or not: environments before it stay changed,
 * and those after it are not attempted.
 */
export async function writeEnvironments(
  store: EnvironmentStore,
  clock: Clock,
  request: ChangeRequest,
  planned: readonly Outcome[],
): Promise<EndedOutcome[]> {
  const firstFailure = planned.findIndex(({ error }) => error);
  const upToFirstFailure = firstFailure < 0 ? planned : planned.slice(0, firstFailure + 1);
  const prepared = upToFirstFailure.every(needsNoPreparation)
    ? upToFirstFailure
    : await store.prepareWrites(request.target, upToFirstFailure);
  const backoff = createBackoff(clock);
  const outcomes: EndedOutcome[] = [];
  let { stamp } = request;
  let hasAdoptedStamp = false;
  for (const outcome of prepared) {
    const ended = await finishEnvironment(store, backoff, { ...request, stamp }, outcome, {
      hasAdoptedStamp,
    });
    outcomes.push(ended);
    if (ended.error) break;
    // If a parallel attempt has written here, the next environments are planned again, with its stamp: they were planned
    // with that of this attempt, for example with the time 12:00:02, while the change that was found is of 12:00:01.
    if (ended.ownChange) {
      const adopted = adoptTimeAndOptions(stamp, { from: ended.ownChange });
      hasAdoptedStamp ||= !isDeepStrictEqual(adopted, stamp);
      stamp = adopted;
    }
  }
  return [...outcomes, ...planned.slice(outcomes.length).map(outcomeIfNotReached)];
}

/**
 * Returns an error as a failed outcome, and never throws. `hasAdoptedStamp` says whether the request has adopted a stamp
 * since the outcome was planned.
 */
export async function finishEnvironment(
  store: EnvironmentStore,
  backoff: Backoff,
  request: ChangeRequest,
  prepared: PreparedOutcome,
  { hasAdoptedStamp = false } = {},
): Promise<EndedOutcome> {
  const context: Context = {
    backoff,
    subject,
    read: () => store.readStoredEnvironment(request.target.feature, prepared.before.environment),
    findOwnWrite: (before, stored) => findOwnChange(store, request, before, stored),
  };
  try {
    // A slow round leads to a longer pause. Earlier environments do not count as part of this round.
    startRound(backoff);
    // After a pause in an earlier environment, this one has most likely changed since it was read.
    const isReadBeforePause = backoff.pauses > 0;
    const mustReplan = prepared.kind === "pending" && (hasAdoptedStamp || isReadBeforePause);
    const current = mustReplan
      ? await replan(store, request, prepared, stateOfSameUid(await context.read(), prepared.before))
      : prepared;
    return await writeInRounds(store, request, context, current);
  } catch (thrown) {
    return failedOutcome(prepared.before, toApiError(thrown));
  }
}

/** Writes, and plans again after each conflict, until the change is stored or nothing is left to write. */
async function writeInRounds(
  store: EnvironmentStore,
  request: ChangeRequest,
  context: Context,
  prepared: PreparedOutcome,
): Promise<EndedOutcome> {
  let outcome = prepared;
  while (outcome.kind === "pending") {
    const { before, after } = outcome;
    const result = await store.writeEnvironment(request.target.feature, before, after);
    if (result.isStored) return { ...outcome, kind: "written" };
    const next = await handleConflict(context, before, result);
    if (next.kind === "own write") return outcomeOfOwnChange(request, next.write, next.state, outcome);
    outcome = await replan(store, request, outcome, next.state);
  }
  return outcome;
}

async function findOwnChange(
  store: EnvironmentStore,
  request: ChangeRequest,
  before: EnvironmentState,
  stored: EnvironmentState,
): Promise<EnvironmentChange | undefined> {
  // No item has to be read then.
  if (isKnownAbsent(request.stamp, before, stored)) return undefined;
  const [environment] = await lookUpChangesOrRefuse(store, [stored], request, { hasSentWrite: true }).catch(
    rethrowAsUnknownOutcome,
  );
  return environment?.ownChange;
}

/**
 * Whether the ids in the environment prove that no change of this stamp was written since `before`. Each write adds one
 * revision and the id of its change: if there are as many ids as revisions since, these are the ids of all changes.
 */
function isKnownAbsent({ id }: Stamp, before: EnvironmentState, stored: EnvironmentState): boolean {
  const writesSince = stored.revision - before.revision;
  const idsSince = [...stored.carried.map((change) => change.id), ...stored.droppedIds].slice(0, writesSince);
  return idsSince.length === writesSince && !idsSince.includes(id);
}

/**
 * The outcome has the own change, because a parallel attempt may have made it, with another time. If it is not at the
 * planned revision, that attempt has read another state, and other users may have moved than by the plan of this one.
 */
function outcomeOfOwnChange(
  request: ChangeRequest,
  ownChange: EnvironmentChange,
  state: EnvironmentState,
  { before, hint, moves }: Outcome,
): EndedOutcome {
  const isAsPlanned = ownChange.revision === before.revision + 1;
  const facts = isAsPlanned ? { hint, moves } : { moves: movesOfOwnChange(ownChange, state, request) };
  return { ...outcomeAsFound(state, "written", facts), ownChange };
}

/** Plans the request again, on what is stored by now. The state is undefined if the environment was deleted. */
async function replan(
  store: EnvironmentStore,
  request: ChangeRequest,
  previous: Outcome,
  state: EnvironmentState | undefined,
): Promise<PreparedOutcome> {
  const { target, preconditions } = request;
  const [environment] = state ? await lookUpChangesOrRefuse(store, [state], request) : [];
  if (environment?.ownChange) {
    return outcomeOfOwnChange(request, environment.ownChange, environment.state, previous);
  }
  const { before } = previous;
  const isSameRevision = environment?.state.revision === before.revision;
  if (listsEtags(preconditions) && !isSameRevision) return failedAsOvertaken(before);
  if (!environment) throw new NotFoundError(`${subject} was deleted meanwhile; nothing was written here`);
  const outcome = planEnvironment(request, environment);
  return await store.prepareWrite(target, outcome);
}

function failedAsOvertaken(before: EnvironmentState): EndedOutcome {
  const error = new ConflictError(`${subject} was changed or deleted meanwhile`, {
    code: "changed-meanwhile",
  });
  return failedOutcome(before, error, "overtaken");
}
