/** Plans what a request does in each environment. Reads and writes nothing. */
import { toApiError } from "../contract/errors.ts";
import type { Variant } from "../contract/variants.ts";
import { aspectsTouched, nextState } from "./changes.ts";
import { applyPatch } from "./json-patch/apply.ts";
import type { Aspect, ChangeRequest, Edit, EnvironmentState, Found, PatchEdit, Plan } from "./model.ts";
import { endedAs, failedWith, type PlannedOutcome } from "./outcome.ts";
import { planUndo, requireChange } from "./plan-undo.ts";
import { requirePreconditions } from "./preconditions.ts";
import { requireSuccess } from "./report.ts";
import { parsePatched, toForm } from "./variant-form.ts";
import { normalise, requireRoom, weightHint } from "./variant-list.ts";

/** Gives a retry the time of the first attempt, so that its changes expire at the same time in all environments. */
export function withTimeOfFirstAttempt(request: ChangeRequest, found: readonly Found[]): ChangeRequest {
  const [made] = found.flatMap(({ ownChange }) => ownChange ?? []);
  return made ? { ...request, stamp: { ...request.stamp, at: made.at } } : request;
}

/** Plans the environments after the first failure too. Throws what refuses the request as a whole. */
export function planEnvironments(request: ChangeRequest, found: readonly Found[]): PlannedOutcome[] {
  if (request.edit.kind === "undo") requireChange(request.edit, found);
  requirePreconditions(request, found);
  const outcomes = found.map((one) => planEnvironment(request, one));
  if (request.strict) requireSuccess(outcomes.map(asNotAttempted), request.stamp);
  return outcomes;
}

/** Not attempted, unless it failed or has the change: a strict request that would fail anywhere writes nowhere. */
function asNotAttempted(outcome: PlannedOutcome): PlannedOutcome {
  const isSettled = outcome.kind === "failed" || outcome.kind === "already there";
  return isSettled ? outcome : endedAs(outcome.before, "not attempted");
}

/** A 4xx becomes a failed outcome; a 5xx is thrown. */
export function planEnvironment(request: ChangeRequest, found: Found): PlannedOutcome {
  const { state, ownChange } = found;
  if (ownChange) return endedAs(state, "already there");
  try {
    const plan = planEdit(request.edit, found);
    const { hint } = plan;
    const touched = aspectsTouched(state, plan);
    if (touched.length === 0) return endedAs(state, "unchanged", hint);
    return {
      kind: "pending",
      before: state,
      after: nextState(state, plan, request.stamp),
      hint: withUnseenReasons(hint, touched, state),
    };
  } catch (thrown) {
    const error = toApiError(thrown);
    if (error.status >= 500) throw error;
    return failedWith(state, error);
  }
}

/** Begins the hint with the reasons why SDKs will not see the change, if there are any. */
function withUnseenReasons(
  hint: string | undefined,
  touched: readonly Aspect[],
  { unseen = {} }: EnvironmentState,
): string | undefined {
  const hints = [...touched.map((aspect) => unseen[aspect]), hint].filter((one) => one !== undefined);
  return hints.length > 0 ? hints.join(". ") : undefined;
}

/** Has no side effects, as it runs again after a conflict. */
function planEdit(edit: Edit, found: Found): Plan {
  const { enabled, variants } = found.state;
  switch (edit.kind) {
    case "patch":
      return { enabled, ...planPatch(edit, variants) };
    case "switch":
      return { enabled: edit.enabled, variants };
    case "undo":
      return planUndo(found);
  }
}

export function planPatch(
  { patch, form }: Omit<PatchEdit, "kind">,
  variants: Variant[],
): Pick<Plan, "variants" | "hint"> {
  // An empty patch does not even normalise weights that an import stored.
  if (patch.length === 0) return { variants };
  const replaced: string[] = [];
  const document = applyPatch(toForm(variants, form), patch, {
    member: "variant",
    onReplaced: (name) => replaced.push(name),
  });
  const patchedAsSent = parsePatched(document, form);
  const patched = normalise(patchedAsSent);
  requireRoom(patched);
  return {
    variants: patched,
    hint: replacedHint(replaced, patched) ?? weightHint(variants, patchedAsSent, patched),
  };
}

/** Names only a variant that is still there: the name of one that was removed again may be any text of the patch. */
function replacedHint(replaced: readonly string[], after: readonly Variant[]): string | undefined {
  const name = replaced.find((one) => after.some((variant) => variant.name === one));
  return name === undefined ? undefined : `The patch replaces the variant "${name}", which was there already`;
}
