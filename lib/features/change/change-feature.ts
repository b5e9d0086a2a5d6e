/** Changes a feature, or previews a change: one environment after the other, without a transaction. */
import { missingPermissions, requirePermissions } from "../../access/permissions.ts";
import type { Clock } from "../../clock.ts";
import { afterColon, toApiError } from "../../contract/errors.ts";
import { etagOfEnvironments } from "../etags.ts";
import { lookUpChangesOrRefuse } from "../history/look-up.ts";
import type { ChangeRequest, EnvironmentWithChanges } from "../model.ts";
import { adoptTimeAndOptions, type Stamp } from "../stamp.ts";
import type { EnvironmentReader, EnvironmentStore } from "../stores.ts";
import { type Outcome, outcomeIfNotReached } from "./outcome.ts";
import { planRequest } from "./plan-change.ts";
import { toReportedOutcome } from "./report.ts";
import { requiredPermissions } from "./required-permissions.ts";
import { writeEnvironments } from "./write-environments.ts";

interface ChangeResult {
  outcomes: Outcome[];
  /** The id of the request's change, if some environment has it. */
  changeId: string | undefined;
  /** The ETag after the request. */
  etag: string;
}

/**
 * Reads the feature, authorises, plans and writes. If-Match may list several ETags. If a concurrent write makes the
 * matching ETag stale, and this attempt has written nothing, the request starts over, because another of the ETags may
 * match by then. A stale ETag is never current again, so the restarts end.
 */
export async function changeFeature(
  store: EnvironmentStore,
  clock: Clock,
  request: ChangeRequest,
): Promise<ChangeResult> {
  const { caller, target, isStrict } = request;
  const { environments, stamp } = await readForRequest(store, request);
  let hasOwnChange = environments.some(({ ownChange }) => ownChange);
  try {
    requirePermissions(caller, target.project, requiredPermissions(request, environments));
    const planned = planRequest({ ...request, stamp }, environments);
    if (isStrict) requireNoPlannedFailure(planned);
    const outcomes = await writeEnvironments(store, clock, { ...request, stamp }, planned);
    hasOwnChange = outcomes.some(({ kind }) => kind === "written" || kind === "already written");
    if (hasToStartOver(outcomes)) return await changeFeature(store, clock, request);
    requireSuccess(outcomes);
    const after = outcomes.map((outcome) => outcome.after);
    return {
      outcomes,
      changeId: hasOwnChange ? stamp.id : undefined,
      etag: etagOfEnvironments(target, after),
    };
  } catch (thrown) {
    const error = toApiError(thrown);
    throw hasOwnChange || error.mayBeStored ? error.with({ changeId: stamp.id }) : error;
  }
}

interface ReadForRequest {
  environments: EnvironmentWithChanges[];
  /** The stamp of the request. In a retry it has the time and the options of the attempt that wrote first. */
  stamp: Stamp;
}

/** Reads the environments, and the changes that the request refers to: those of its idempotency key, or of its undo. */
async function readForRequest(reader: EnvironmentReader, request: ChangeRequest): Promise<ReadForRequest> {
  const { target, stamp, edit } = request;
  const states = await reader.readEnvironments(target);
  // Any other request has no `ownChange` and no `changeToUndo`.
  const refersToChanges = stamp.requestHash !== undefined || edit.kind === "undo";
  if (!refersToChanges) return { environments: states.map((state) => ({ state })), stamp };
  const environments = await lookUpChangesOrRefuse(reader, states, request);
  const ownChange = environments.find((environment) => environment.ownChange)?.ownChange;
  return { environments, stamp: ownChange ? adoptTimeAndOptions(stamp, { from: ownChange }) : stamp };
}

/**
 * A request starts over only if this attempt has written nothing. Otherwise it ends in a 409 that shows what was
 * written.
 */
function hasToStartOver(outcomes: readonly Outcome[]): boolean {
  const kinds = new Set(outcomes.map(({ kind }) => kind));
  return kinds.has("overtaken") && !kinds.has("written");
}

/**
 * Throws the error of the first environment where planning failed. Its details report the other environments as
 * `not attempted`, or as `already patched` if an earlier attempt has written them.
 */
function requireNoPlannedFailure(planned: readonly Outcome[]): void {
  requireSuccess(planned.map((outcome) => (outcome.error ? outcome : outcomeIfNotReached(outcome))));
}

function requireSuccess(outcomes: readonly Outcome[]): void {
  const failed = outcomes.find((outcome) => outcome.error !== undefined);
  if (!failed) return;
  const { after, error } = failed;
  const message = `environment "${after.environment}": ${afterColon(error.message)}`;
  throw error.with({ message, details: outcomes.map(toReportedOutcome) });
}

interface Preview {
  outcomes: Outcome[];
  missingPermissions: ReturnType<typeof missingPermissions>;
  /** The ETag of what is stored. */
  etag: string;
}

/**
 * Shows the environments after the first failure too. For a strict request, throws the error that would refuse it, also
 * that of a missing permission.
 */
export async function previewChange(reader: EnvironmentReader, request: ChangeRequest): Promise<Preview> {
  const { caller, target, isStrict } = request;
  const { environments, stamp } = await readForRequest(reader, request);
  const required = requiredPermissions(request, environments);
  if (isStrict) requirePermissions(caller, target.project, required);
  const outcomes = planRequest({ ...request, stamp }, environments);
  if (isStrict) requireNoPlannedFailure(outcomes);
  return {
    outcomes,
    missingPermissions: missingPermissions(caller, target.project, required),
    etag: etagOfEnvironments(
      target,
      environments.map(({ state }) => state),
    ),
  };
}
