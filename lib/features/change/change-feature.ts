/** Changes a feature, or previews a change: one environment after the other, without a transaction. */
import { authoriseChange, missingPermissions } from "../../access/authorise-change.ts";
import type { MissingPermission } from "../../access/permissions.ts";
import { ConflictError, PreconditionFailed, toApiError } from "../../contract/errors.ts";
import { etagOf } from "../etags.ts";
import { lookUp } from "../history/look-up.ts";
import type { Change, ChangeRequest, TargetEnvironment } from "../model.ts";
import type { Stamp } from "../stamp.ts";
import type { EnvironmentReader, EnvironmentStore } from "../stores.ts";
import { type Clock, createBackoff } from "./backoff.ts";
import { changeEnvironment } from "./change-environment.ts";
import { asFound, endedAs, type Outcome, type PlannedOutcome } from "./outcome.ts";
import { planEnvironments } from "./plan-change.ts";
import { hasChange, toDetail } from "./report.ts";
import { requiredBy } from "./required-permissions.ts";

interface Changed {
  outcomes: Outcome[];
  /** The ETag after the request. */
  etag: string;
}

export async function changeFeature(
  store: EnvironmentStore,
  clock: Clock,
  request: ChangeRequest,
): Promise<Changed> {
  const { caller, target, stamp } = request;
  const states = await store.readEnvironments(target);
  // Reads nothing for a patch or a switch without an idempotency key.
  const found = await lookUp(store, states, request);
  authoriseChange(caller, target, requiredBy(request.edit, found));
  const [earlier] = found.flatMap(({ ownChange }) => ownChange ?? []);
  try {
    const stamped = earlier ? asInFirstAttempt(request, earlier) : request;
    const outcomes = await writeEnvironments(store, clock, stamped, found);
    const isChangedSince = outcomes.some(
      (one) => one.kind === "failed" && one.error instanceof PreconditionFailed,
    );
    const hasWritten = outcomes.some(({ kind }) => kind === "written");
    // Starts over, as nothing was written: If-Match is compared with what is stored now. It may list that ETag too; otherwise
    // the request ends with a 412 that has the current ETag.
    if (isChangedSince && !hasWritten) return await changeFeature(store, clock, stamped);
    requireSuccess(outcomes, stamp);
    const after = outcomes.map((outcome) => outcome.after);
    return { outcomes, etag: etagOf(target, after) };
  } catch (thrown) {
    const error = toApiError(thrown);
    throw error.mayBeStored || earlier ? error.with({ change: stamp.id }) : error;
  }
}

/** A retry takes the time and the guard of the first attempt, so that its changes expire together. Its reason may differ. */
function asInFirstAttempt(request: ChangeRequest, { at, guard }: Change): ChangeRequest {
  const { guard: _, ...stamp } = request.stamp;
  return { ...request, stamp: { ...stamp, at, ...(guard && { guard }) } };
}

/** Stops at the first failure: environments before it stay changed, those after it are untouched. */
async function writeEnvironments(
  store: EnvironmentStore,
  clock: Clock,
  request: ChangeRequest,
  found: readonly TargetEnvironment[],
): Promise<Outcome[]> {
  const planned = planEnvironments(request, found);
  if (request.strict) requireSuccessOfAll(planned, request.stamp);
  // Writes nothing unless an environment is full (`isFull`), or the change is under a guard.
  const writable = await store.prepareWrites(request.target, upToFirstFailure(planned));
  const backoff = createBackoff(clock);
  const outcomes: Outcome[] = [];
  for (const one of writable) {
    const outcome = await changeEnvironment(store, backoff, request, one);
    outcomes.push(outcome);
    if (outcome.kind === "failed") break;
  }
  return [...outcomes, ...found.slice(outcomes.length).map(asFound)];
}

function upToFirstFailure(planned: readonly PlannedOutcome[]): readonly PlannedOutcome[] {
  const failed = planned.findIndex(({ kind }) => kind === "failed");
  return failed < 0 ? planned : planned.slice(0, failed + 1);
}

/** A strict request that would fail in some environment writes in none. */
function requireSuccessOfAll(planned: readonly PlannedOutcome[], stamp: Stamp): void {
  const outcomes = planned.map((outcome): PlannedOutcome => {
    const hasEnded = outcome.kind === "failed" || outcome.kind === "already there";
    return hasEnded ? outcome : endedAs(outcome.before, "not attempted");
  });
  requireSuccess(outcomes, stamp);
}

/** The error names the change if some environment has it. */
function requireSuccess(outcomes: readonly PlannedOutcome[], { id }: Stamp): void {
  const failed = outcomes.find((outcome) => outcome.kind === "failed");
  if (!failed) return;
  const { after, error } = failed;
  // `changeFeature` starts over unless something was written; after a write, a failed precondition is a conflict.
  const cause =
    error instanceof PreconditionFailed ? new ConflictError(error.message, { code: error.code }) : error;
  const message = `environment "${after.environment}": ${cause.message}`;
  const change = hasChange(outcomes) ? id : cause.change;
  throw cause.with({ message, details: outcomes.map(toDetail), change });
}

interface Preview {
  outcomes: PlannedOutcome[];
  missing: MissingPermission[];
  /** The ETag of what is stored. */
  etag: string;
}

/** Shows the environments after the first failure too. For a strict request it throws the error of the failure. */
export async function previewFeature(reader: EnvironmentReader, request: ChangeRequest): Promise<Preview> {
  const { caller, target, stamp, strict } = request;
  const states = await reader.readEnvironments(target);
  const found = await lookUp(reader, states, request);
  const required = requiredBy(request.edit, found);
  const missing = missingPermissions(caller, target, required);
  if (strict) authoriseChange(caller, target, required);
  const outcomes = planEnvironments(request, found);
  if (strict) requireSuccessOfAll(outcomes, stamp);
  return { outcomes, missing, etag: etagOf(target, states) };
}
