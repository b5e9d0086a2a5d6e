/** Changes a feature, or previews a change: one environment after the other, without a transaction. */
import { missingPermissions, requirePermissions } from "../../access/permissions.ts";
import type { Clock } from "../../clock.ts";
import { afterColon, toApiError } from "../../contract/errors.ts";
import { createBackoff } from "../conflicts/backoff.ts";
import { etagOfEnvironments } from "../etags.ts";
import { lookUpChanges } from "../history/look-up.ts";
import type { ChangeRequest, EnvironmentWithChanges } from "../model.ts";
import { adoptStamp, type Stamp } from "../stamp.ts";
import type { EnvironmentReader, EnvironmentStore } from "../stores.ts";
import { changeEnvironment } from "./change-environment.ts";
import {
  type EndedOutcome,
  endedWith,
  isFailure,
  isStoredSomewhere,
  type Outcome,
  outcomeIfNotAttempted,
  type PreparedOutcome,
} from "./outcome.ts";
import { planEnvironments } from "./plan-change.ts";
import { toEnvironmentOutcome } from "./report.ts";
import { requiredPermissions } from "./required-permissions.ts";

interface ChangeResult {
  outcomes: EndedOutcome[];
  /** The ETag after the request. */
  etag: string;
}

/**
 * Reads the feature, authorises, plans and writes. If-Match may list several ETags. If a concurrent write makes the
 * matching ETag stale, and this attempt has written nothing, the request starts over with the others. A stale ETag is
 * never current again, so the restarts end.
 */
export async function changeFeature(
  store: EnvironmentStore,
  clock: Clock,
  request: ChangeRequest,
): Promise<ChangeResult> {
  const { caller, target, stamp } = request;
  const states = await store.readEnvironments(target);
  // Reads nothing without an idempotency key, unless the edit is an undo.
  const environments = await lookUpChanges(store, states, request);
  const ownChange = environments.find((environment) => environment.ownChange)?.ownChange;
  try {
    requirePermissions(caller, target.project, requiredPermissions(request, environments));
    const stamped = ownChange ? { ...request, stamp: adoptStamp(ownChange, stamp) } : request;
    const outcomes = await changeEnvironments(store, clock, stamped, environments);
    if (hasToStartOver(outcomes)) return await changeFeature(store, clock, request);
    requireSuccess(outcomes, stamp);
    const after = outcomes.map((outcome) => outcome.after);
    return { outcomes, etag: etagOfEnvironments(target, after) };
  } catch (thrown) {
    const error = toApiError(thrown);
    // The error names the change also if only an earlier attempt has written it.
    throw error.mayBeStored || ownChange ? error.with({ changeId: stamp.id }) : error;
  }
}

/** Plans all environments, and then writes them. Those after the first failure are not attempted. */
async function changeEnvironments(
  store: EnvironmentStore,
  clock: Clock,
  request: ChangeRequest,
  environments: readonly EnvironmentWithChanges[],
): Promise<EndedOutcome[]> {
  const planned = planEnvironments(request, environments);
  if (request.isStrict) requireNoFailedPlan(planned, request.stamp);
  // Writes nothing unless an environment is full (`isFull`), or the change is under a guard.
  const prepared = await store.prepareWrites(request.target, upToFirstFailure(planned));
  const outcomes = await writeInOrder(store, clock, request, prepared);
  return [...outcomes, ...environments.slice(outcomes.length).map(outcomeIfNotAttempted)];
}

/** Stops at the first failure: environments before it stay changed. */
async function writeInOrder(
  store: EnvironmentStore,
  clock: Clock,
  request: ChangeRequest,
  prepared: readonly PreparedOutcome[],
): Promise<EndedOutcome[]> {
  const backoff = createBackoff(clock);
  const outcomes: EndedOutcome[] = [];
  let { stamp } = request;
  for (const outcome of prepared) {
    const ended = await changeEnvironment(store, backoff, { ...request, stamp }, outcome);
    outcomes.push(ended);
    if (isFailure(ended)) break;
    // A parallel attempt may have written here.
    if (ended.ownChange) stamp = adoptStamp(ended.ownChange, stamp);
  }
  return outcomes;
}

/**
 * A request starts over only if this attempt has written nothing. Otherwise it ends in a 409 that shows what was
 * written.
 */
function hasToStartOver(outcomes: readonly EndedOutcome[]): boolean {
  const kinds = new Set(outcomes.map(({ kind }) => kind));
  return kinds.has("overtaken") && !kinds.has("written");
}

function upToFirstFailure(planned: readonly Outcome[]): readonly Outcome[] {
  const failed = planned.findIndex(isFailure);
  return failed < 0 ? planned : planned.slice(0, failed + 1);
}

/** Throws the error of the first plan that fails. Details name no outcome that is only planned. */
function requireNoFailedPlan(planned: readonly Outcome[], stamp: Stamp): void {
  const outcomes = planned.map((outcome): Outcome => {
    const isReported = isFailure(outcome) || outcome.kind === "already written";
    return isReported ? outcome : endedWith(outcome.before, "not attempted");
  });
  requireSuccess(outcomes, stamp);
}

/** The error names the change if some environment has it. */
function requireSuccess(outcomes: readonly Outcome[], { id }: Stamp): void {
  const failed = outcomes.find(isFailure);
  if (!failed) return;
  const { after, error } = failed;
  const message = `environment "${after.environment}": ${afterColon(error.message)}`;
  const changeId = isStoredSomewhere(outcomes) ? id : error.changeId;
  throw error.with({ message, details: outcomes.map(toEnvironmentOutcome), changeId });
}

interface Preview {
  outcomes: Outcome[];
  missingPermissions: ReturnType<typeof missingPermissions>;
  /** The ETag of what is stored. */
  etag: string;
}

/**
 * Shows the environments after the first failure too. For a strict request, throws what would refuse it, a missing
 * permission too.
 */
export async function previewChange(reader: EnvironmentReader, request: ChangeRequest): Promise<Preview> {
  const { caller, target, stamp, isStrict } = request;
  const states = await reader.readEnvironments(target);
  const environments = await lookUpChanges(reader, states, request);
  const required = requiredPermissions(request, environments);
  if (isStrict) requirePermissions(caller, target.project, required);
  const outcomes = planEnvironments(request, environments);
  if (isStrict) requireNoFailedPlan(outcomes, stamp);
  return {
    outcomes,
    missingPermissions: missingPermissions(caller, target.project, required),
    etag: etagOfEnvironments(target, states),
  };
}
