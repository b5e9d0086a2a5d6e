/** Changes a feature, or previews a change: one environment after the other, without a transaction. */
import { authoriseChange, missingPermissions, type Required } from "../access/authorise-change.ts";
import {
  type MissingPermission,
  type PermissionName,
  strategyPermission,
  switchPermission,
  variantsPermission,
} from "../access/permissions.ts";
import { PreconditionFailed, toApiError } from "../contract/errors.ts";
import { type Clock, createBackoff } from "./backoff.ts";
import { changeEnvironment } from "./change-environment.ts";
import { lookUp } from "./look-up.ts";
import {
  type Aspect,
  type ChangeRequest,
  type Edit,
  type Found,
  touchedBy as touchedByChange,
} from "./model.ts";
import { asFound, type Outcome, type PlannedOutcome } from "./outcome.ts";
import { planEnvironments, withTimeOfFirstAttempt } from "./plan-change.ts";
import { touchedByPatch } from "./plan-patch.ts";
import { etagOf } from "./preconditions.ts";
import { requireSuccess } from "./report.ts";
import type { EnvironmentReader, EnvironmentStore } from "./stores.ts";

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
  const found = await lookUp(store, states, request);
  authoriseChange(caller, target, requiredBy(request.edit, found));
  try {
    const stamped = withTimeOfFirstAttempt(request, found);
    const outcomes = await writeEnvironments(store, clock, stamped, found);
    const isStale = outcomes.some((one) => one.kind === "failed" && one.error instanceof PreconditionFailed);
    const hasWritten = outcomes.some(({ kind }) => kind === "written");
    // Starts over, as nothing was written: If-Match is compared with what is stored now. Another ETag of it may match;
    // otherwise the request ends with a 412 that has the current ETag.
    if (isStale && !hasWritten) return await changeFeature(store, clock, stamped);
    requireSuccess(outcomes, stamp);
    const after = outcomes.map((outcome) => outcome.after);
    return { outcomes, etag: etagOf(target, after) };
  } catch (thrown) {
    const error = toApiError(thrown);
    const wasMadeBefore = found.some(({ ownChange }) => ownChange);
    throw error.mayBeStored || wasMadeBefore ? error.with({ change: stamp.id }) : error;
  }
}

/** Stops at the first failure: environments before it stay changed, those after it are untouched. */
async function writeEnvironments(
  store: EnvironmentStore,
  clock: Clock,
  request: ChangeRequest,
  found: readonly Found[],
): Promise<Outcome[]> {
  const planned = planEnvironments(request, found);
  const kept = await store.keepChanges(request.target, upToFirstFailure(planned));
  const backoff = createBackoff(clock);
  const outcomes: Outcome[] = [];
  for (const one of kept) {
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

interface Preview {
  outcomes: PlannedOutcome[];
  missing: MissingPermission[];
  /** The ETag of what is stored. */
  etag: string;
}

/** Shows the environments after the first failure too. For a strict request it throws the error of the failure. */
export async function previewFeature(reader: EnvironmentReader, request: ChangeRequest): Promise<Preview> {
  const { caller, target, strict } = request;
  const states = await reader.readEnvironments(target);
  const found = await lookUp(reader, states, request);
  const required = requiredBy(request.edit, found);
  const missing = missingPermissions(caller, target, required);
  if (strict) authoriseChange(caller, target, required);
  const outcomes = planEnvironments(request, found);
  return { outcomes, missing, etag: etagOf(target, states) };
}

/** Required in each environment where the aspect changes. */
const permissionOf: Readonly<Record<Aspect, PermissionName>> = {
  variants: variantsPermission,
  enabled: switchPermission,
  strategies: strategyPermission,
  dependencies: strategyPermission,
  targeting: strategyPermission,
};

function requiredBy(edit: Edit, found: readonly Found[]): Required[] {
  const touched = touchedIn(edit, found);
  const permissions = Object.keys(permissionOf) as Aspect[];
  const required = permissions.flatMap((aspect) =>
    found
      .filter((_, index) => touched[index]?.includes(aspect))
      .map(({ state: { environment } }) => ({ permission: permissionOf[aspect], environment })),
  );
  const distinct = new Map(required.map((one) => [JSON.stringify(one), one]));
  return [...distinct.values()];
}

/**
 * By the index of the environment. An undo touches what the undone change has touched; if that touched variants anywhere,
 * those of all its environments.
 */
function touchedIn(edit: Edit, found: readonly Found[]): (readonly Aspect[])[] {
  switch (edit.kind) {
    case "patch": {
      const touched = touchedByPatch(edit);
      return found.map(() => touched);
    }
    case "switch":
      return found.map(() => ["enabled"]);
    case "undo": {
      // The path has required the permission to trip the guard, which is enough.
      if (edit.guard !== undefined) return found.map(() => []);
      // On a retry the undone change may be deleted. The undo, `ownChange`, touched the same aspects.
      const touched = found.map(({ toUndo, ownChange }) => {
        const change = toUndo?.change ?? ownChange;
        return change ? touchedByChange(change) : [];
      });
      const hasVariants = touched.some((aspects) => aspects.includes("variants"));
      return hasVariants ? touched.map((aspects): Aspect[] => [...aspects, "variants"]) : touched;
    }
  }
}
