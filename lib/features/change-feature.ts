/** Changes a feature environment by environment, without a transaction, or previews that. */
import { authoriseChange, missingPermissions, type Touched } from "../access/authorise-change.ts";
import type { MissingPermission } from "../access/permissions.ts";
import { PreconditionFailed, toApiError } from "../contract/errors.ts";
import { type Clock, createBackoff } from "./backoff.ts";
import { changeEnvironment } from "./change-environment.ts";
import { lookUp } from "./look-up.ts";
import type { Aspect, ChangeRequest, Edit, Found } from "./model.ts";
import { asFound, hasChange, type Outcome, type PlannedOutcome, requireSuccess } from "./outcome.ts";
import { planEnvironments, withTimeOfFirstAttempt } from "./plan-change.ts";
import { etagOf } from "./preconditions.ts";
import type { VariantReader, VariantStore } from "./stores.ts";

interface Changed {
  outcomes: Outcome[];
  /** The ETag after the request. */
  etag: string;
}

/** Stops at the first failure: environments before it stay changed, those after it are untouched. */
export async function changeFeature(
  store: VariantStore,
  clock: Clock,
  request: ChangeRequest,
): Promise<Changed> {
  const { caller, target, stamp } = request;
  const states = await store.readEnvironments(target);
  let outcomes: Outcome[] = [];
  try {
    const found = await lookUp(store, states, request);
    authoriseChange(caller, target, touchedBy(request.edit, found));
    outcomes = found.map(asFound);
    const stamped = withTimeOfFirstAttempt(request, found);
    const plannedOutcomes = planEnvironments(stamped, found);
    const ready = await store.keepChanges(target, upToFirstFailure(plannedOutcomes));
    const backoff = createBackoff(clock);
    for (const [index, planned] of ready.entries()) {
      const outcome = await changeEnvironment(store, backoff, stamped, planned);
      outcomes[index] = outcome;
      if (outcome.kind === "failed") break;
    }
    const isStale = outcomes.some((one) => one.kind === "failed" && one.error instanceof PreconditionFailed);
    const hasWritten = outcomes.some(({ kind }) => kind === "written");
    // Nothing was written, so it starts over: another ETag of If-Match is current by now, or the 412 has the current one.
    if (isStale && !hasWritten) return await changeFeature(store, clock, stamped);
    requireSuccess(outcomes);
    const after = outcomes.map((outcome) => outcome.after);
    return { outcomes, etag: etagOf(target, after) };
  } catch (thrown) {
    const error = toApiError(thrown);
    throw error.mayBeStored || hasChange(outcomes) ? error.with({ change: stamp.id }) : error;
  }
}

interface Preview {
  outcomes: PlannedOutcome[];
  missing: MissingPermission[];
  /** The ETag of what is stored. */
  etag: string;
}

/** Shows the environments after the first failure too; a strict request throws its error. */
export async function previewFeature(reader: VariantReader, request: ChangeRequest): Promise<Preview> {
  const { caller, target, strict } = request;
  const states = await reader.readEnvironments(target);
  const found = await lookUp(reader, states, request);
  const touched = touchedBy(request.edit, found);
  const missing = missingPermissions(caller, target, touched);
  if (strict) authoriseChange(caller, target, touched);
  const outcomes = planEnvironments(request, found);
  return { outcomes, missing, etag: etagOf(target, states) };
}

/**
 * An undo needs the permissions of what its change touched: those of a patch of the whole path if it changed variants
 * anywhere, and those of a switch where it switched.
 */
function touchedBy(edit: Edit, found: readonly Found[]): Touched {
  const states = found.map(({ state }) => state);
  switch (edit.kind) {
    case "patch":
      return { variants: states };
    case "switch":
      return { enabled: states };
    case "undo": {
      const having = (aspect: Aspect) =>
        found
          .filter(({ toUndo, ownChange }) => (toUndo?.change ?? ownChange)?.touched.includes(aspect))
          .map(({ state }) => state);
      return { enabled: having("enabled"), ...(having("variants").length > 0 && { variants: states }) };
    }
  }
}

function upToFirstFailure(planned: readonly PlannedOutcome[]): readonly PlannedOutcome[] {
  const failed = planned.findIndex(({ kind }) => kind === "failed");
  return failed < 0 ? planned : planned.slice(0, failed + 1);
}
