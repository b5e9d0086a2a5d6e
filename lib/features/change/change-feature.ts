/** Changes a feature, or previews a change: one environment after the other, without a transaction. */
import { missingPermissions, requirePermissions } from "../../access/permissions.ts";
import type { Clock } from "../../clock.ts";
import { afterColon, toApiError } from "../../contract/errors.ts";
import { etagOfEnvironments } from "../etags.ts";
import { lookUpChangesOrRefuse } from "../history/look-up.ts";
import type { ChangeRequest, EnvironmentWithChanges } from "../model.ts";
import { adoptStamp, type Stamp } from "../stamp.ts";
import type { EnvironmentReader, EnvironmentStore } from "../stores.ts";
import { type EndedOutcome, type Outcome, outcomeAsFound, outcomeIfNotAttempted } from "./outcome.ts";
import { planEnvironments } from "./plan-change.ts";
import { isStoredSomewhere, toEnvironmentOutcome } from "./report.ts";
import { requiredPermissions } from "./required-permissions.ts";
import { writeEnvironments } from "./write-environments.ts";

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
  const { caller, target, stamp, isStrict } = request;
  const environments = await readEnvironmentsWithChanges(store, request);
  const ownChange = environments.find((environment) => environment.ownChange)?.ownChange;
  try {
    requirePermissions(caller, target.project, requiredPermissions(request, environments));
    const requestAsFirstWritten = ownChange ? { ...request, stamp: adoptStamp(ownChange, stamp) } : request;
    const planned = planEnvironments(requestAsFirstWritten, environments);
    if (isStrict) requireNoFailedPlan(planned, stamp);
    const ended = await writeEnvironments(store, clock, requestAsFirstWritten, planned);
    const outcomes = [...ended, ...environments.slice(ended.length).map(outcomeIfNotAttempted)];
    if (outcomes.some(({ error }) => error)) {
      if (hasToStartOver(outcomes)) return await changeFeature(store, clock, request);
      requireSuccess(outcomes, stamp);
    }
    const after = outcomes.map((outcome) => outcome.after);
    return { outcomes, etag: etagOfEnvironments(target, after) };
  } catch (thrown) {
    const error = toApiError(thrown);
    // The error names the change also if only an earlier attempt has written it.
    throw error.mayBeStored || ownChange ? error.with({ changeId: stamp.id }) : error;
  }
}

/** Reads the environments, and the changes that the request refers to: those of its idempotency key, or of its undo. */
async function readEnvironmentsWithChanges(
  reader: EnvironmentReader,
  request: ChangeRequest,
): Promise<EnvironmentWithChanges[]> {
  const { target, stamp, edit } = request;
  const states = await reader.readEnvironments(target);
  // Any other request has no `ownChange` and no `changeToUndo`.
  const refersToChanges = stamp.requestHash !== undefined || edit.kind === "undo";
  return refersToChanges
    ? await lookUpChangesOrRefuse(reader, states, request)
    : states.map((state) => ({ state }));
}

/**
 * A request starts over only if this attempt has written nothing. Otherwise it ends in a 409 that shows what was
 * written.
 */
function hasToStartOver(outcomes: readonly Outcome[]): boolean {
  const kinds = new Set(outcomes.map(({ kind }) => kind));
  return kinds.has("overtaken") && !kinds.has("written");
}

/** Throws the error of the first plan that fails. Its details report the plans that do not fail as `not attempted`. */
function requireNoFailedPlan(planned: readonly Outcome[], stamp: Stamp): void {
  const outcomes = planned.map((outcome): Outcome => {
    const isReported = outcome.error || outcome.kind === "already written";
    return isReported ? outcome : outcomeAsFound(outcome.before, "not attempted");
  });
  requireSuccess(outcomes, stamp);
}

/** The error names the change if some environment has it. */
function requireSuccess(outcomes: readonly Outcome[], { id }: Stamp): void {
  const failed = outcomes.find((outcome) => outcome.error !== undefined);
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
  const environments = await readEnvironmentsWithChanges(reader, request);
  const required = requiredPermissions(request, environments);
  if (isStrict) requirePermissions(caller, target.project, required);
  const outcomes = planEnvironments(request, environments);
  if (isStrict) requireNoFailedPlan(outcomes, stamp);
  return {
    outcomes,
    missingPermissions: missingPermissions(caller, target.project, required),
    etag: etagOfEnvironments(
      target,
      environments.map(({ state }) => state),
    ),
  };
}
