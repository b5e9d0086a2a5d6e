/**
 * Turns outcomes into what a response says of them: its body, the outcomes by their names in the API, the shares of the
 * users who move, and a hint.
 */
import { NotFoundError } from "../../contract/errors.ts";
import type { EnvironmentOutcome } from "../../contract/responses/error-body.ts";
import type { VariantForm } from "../../contract/variants.ts";
import { treeOfEnvironment, variantsBody } from "../bodies.ts";
import type { ChangeRequest, Edit, EnvironmentState } from "../model.ts";
import { largestShare, movedShare, roundMoves, roundShare } from "../moves/moved-share.ts";
import { contentDifference } from "../patch/differences.ts";
import { variantsInForm } from "../patch/variant-form.ts";
import { isStoredSomewhere, type Outcome, toEnvironmentOutcome } from "./outcome.ts";

export interface Report {
  /** Undefined after the removal of a strategy. */
  body: object | undefined;
  /** What the request did in each environment. */
  environmentOutcomes: readonly EnvironmentOutcome[];
  /**
   * The share of each environment's users who move, by the environment's name; null if it cannot be computed. An
   * environment whose outcome has no `moves`, such as a failed one, is absent.
   */
  movedShares: ReadonlyMap<string, number | null>;
  /** The largest of these shares: undefined if none is known, null if one cannot be computed. */
  largestMovedShare: number | null | undefined;
  /** The first hint, which says what may surprise in the change, and its environment. */
  hint: { environment: string; text: string } | undefined;
}

interface ChangeReport extends Report {
  /** The id of the request's change, if some environment has it. */
  changeId: string | undefined;
}

/**
 * Reports what was written. `form` is that of the variants in the body. Throws if a parallel request has removed the
 * strategy that the body would show: the request itself was applied.
 */
export function reportChange(
  outcomes: readonly Outcome[],
  { edit, stamp }: Pick<ChangeRequest, "edit" | "stamp">,
  form: VariantForm,
): ChangeReport {
  const report = reportOf(outcomes);
  const changeId = isStoredSomewhere(outcomes) ? stamp.id : undefined;
  const body = bodyAfter(outcomes, edit, form);
  if (edit.kind === "strategy" && edit.action !== "remove" && !body) {
    throw new NotFoundError(`The request was applied; the strategy "${edit.id}" was removed since`, {
      code: "applied",
      details: report.environmentOutcomes,
      changeId: stamp.id,
    });
  }
  return { ...report, body, changeId };
}

/**
 * Reports what would be written: where an earlier attempt has written, a request moves no user any more. The body has the
 * moves and hints of each environment, so no header has them.
 */
export function reportPreview(
  planned: readonly Outcome[],
  edit: Edit,
  form: VariantForm,
): Omit<Report, "movedShares" | "hint"> {
  const outcomes = planned.map((outcome) =>
    outcome.kind === "already written" ? { ...outcome, moves: [] } : outcome,
  );
  const { movedShares: _, hint: __, ...report } = reportOf(outcomes);
  return { ...report, body: bodyOfPreview(outcomes, edit, form) };
}

function reportOf(outcomes: readonly Outcome[]): Omit<Report, "body"> {
  const movedShares = movedSharesOf(outcomes);
  const hints = outcomes.flatMap(({ after: { environment }, hint }) =>
    hint === undefined ? [] : { environment, text: hint },
  );
  return {
    movedShares,
    largestMovedShare: largestShare(movedShares.values()),
    environmentOutcomes: outcomes.map(toEnvironmentOutcome),
    hint: hints[0],
  };
}

function movedSharesOf(outcomes: readonly Outcome[]): Report["movedShares"] {
  return new Map(
    outcomes.flatMap(({ after, moves }) => {
      const share = moves && movedShare(moves);
      return share === undefined ? [] : [[after.environment, share && roundShare(share)]];
    }),
  );
}

/**
 * Returns the body after
 *
 *   a change of a strategy         this strategy, if it is still there; undefined after its removal
 *   a patch of variants, an undo   the variants of the first environment
 *   a switch, another patch        each environment
 */
function bodyAfter(outcomes: readonly Outcome[], edit: Edit, form: VariantForm): object | undefined {
  const after = outcomes.map((outcome) => outcome.after);
  if (edit.kind === "strategy") {
    if (edit.action === "remove") return undefined;
    return after.flatMap(({ strategies }) => strategies).find(({ id }) => id === edit.id);
  }
  if (hasVariantsBody(edit)) return variantsBody(after, form);
  return { version: 1, environments: after.map((state) => environmentMembers(state, edit)) };
}

function bodyOfPreview(outcomes: readonly Outcome[], edit: Edit, form: VariantForm): object {
  if (!hasVariantsBody(edit)) {
    const environments = outcomes.map((outcome) => ({
      ...environmentMembers(outcome.after, edit),
      ...toPreview(outcome),
    }));
    return { version: 1, environments };
  }
  const environments = outcomes.map((outcome) => ({
    ...toPreview(outcome),
    variants: variantsInForm(outcome.after.variants, form),
  }));
  return { ...bodyAfter(outcomes, edit, form), environments };
}

function hasVariantsBody(edit: Edit): boolean {
  return edit.kind === "undo" || (edit.kind === "patch" && edit.root === "variants");
}

/** Shows `enabled` after a switch, and the whole environment after a patch. */
function environmentMembers(state: EnvironmentState, { kind }: Edit) {
  const { environment, enabled } = state;
  return kind === "switch" ? { environment, enabled } : treeOfEnvironment(state);
}

/** The members that every dry run has. */
function toPreview(outcome: Outcome) {
  const { before, after, hint, moves, error } = outcome;
  return {
    ...toEnvironmentOutcome(outcome),
    ...(!error && { difference: contentDifference(before, after) }),
    ...(moves && { moves: roundMoves(moves) }),
    ...(hint !== undefined && { hint }),
  };
}
