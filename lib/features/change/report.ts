/**
 * Turns outcomes into a report for the response: the body, the outcomes by their names in the API, the shares of the users
 * who move, and a hint.
 */
import { type ApiError, NotFoundError } from "../../contract/errors.ts";
import type { EnvironmentOutcome, OutcomeName } from "../../contract/responses/error-body.ts";
import { bodyAfterChange, environmentMembers, hasVariantsBody, variantsBody } from "../bodies.ts";
import type { Edit } from "../model.ts";
import { largestShare, movedShare, roundMoves, roundShare } from "../moves/moved-share.ts";
import { contentDifference } from "../patch/differences.ts";
import { variantsInForm } from "../patch/variant-list.ts";
import type { Outcome } from "./outcome.ts";

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
  /** The first hint, which warns of a surprise in the change, and its environment. */
  hint: { environment: string; text: string } | undefined;
}

interface ChangeReport extends Report {
  changeId: string | undefined;
}

/**
 * Reports what was written. Throws if a parallel request has removed the
 * strategy that the body would show: the request itself was applied.
 */
export function reportChange(
  { outcomes, changeId }: { outcomes: readonly Outcome[]; changeId: string | undefined },
  edit: Edit,
): ChangeReport {
  const report = reportOf(outcomes);
  const states = outcomes.map(({ after }) => after);
  const body = bodyAfterChange(states, edit);
  if (edit.kind === "strategy" && edit.action !== "remove" && !body) {
    throw new NotFoundError(`The request was applied; the strategy "${edit.id}" was removed since`, {
      code: "applied",
      details: report.environmentOutcomes,
      changeId,
    });
  }
  return { ...report, body, changeId };
}

/**
 * Reports what would be written: where an earlier attempt has written, a request moves no user any more. The body has the
 * moves and hints of each environment, so no header has them.
 */
export function reportPreview(planned: readonly Outcome[], edit: Edit): Omit<Report, "movedShares" | "hint"> {
  const outcomes = planned.map((outcome) =>
    outcome.kind === "already written" ? { ...outcome, moves: [] } : outcome,
  );
  const { movedShares: _, hint: __, ...report } = reportOf(outcomes);
  return { ...report, body: bodyOfPreview(outcomes, edit) };
}

function reportOf(outcomes: readonly Outcome[]): Omit<Report, "body"> {
  const environmentOutcomes = outcomes.map(toReportedOutcome);
  const movedShares = movedSharesOf(outcomes);
  const hints = outcomes.flatMap(({ after: { environment }, hint }) =>
    hint === undefined ? [] : { environment, text: hint },
  );
  const largestMovedShare = largestShare(movedShares.values());
  return { environmentOutcomes, movedShares, largestMovedShare, hint: hints[0] };
}

function movedSharesOf(outcomes: readonly Outcome[]): Report["movedShares"] {
  return new Map(
    outcomes.flatMap(({ after, moves }) => {
      const share = moves && movedShare(moves);
      return share === undefined ? [] : [[after.environment, share && roundShare(share)]];
    }),
  );
}

function bodyOfPreview(outcomes: readonly Outcome[], edit: Edit): object {
  if (!hasVariantsBody(edit)) {
    const environments = outcomes.map((outcome) => ({
      ...environmentMembers(outcome.after, edit),
      ...toPreview(outcome),
    }));
    return { version: 1, environments };
  }
  const environments = outcomes.map((outcome) => ({
    ...toPreview(outcome),
    variants: variantsInForm(outcome.after.variants, edit.form),
  }));
  const states = outcomes.map(({ after }) => after);
  return { ...variantsBody(states, edit.form), environments };
}

/** The members that every dry run has. */
function toPreview(outcome: Outcome) {
  const { before, after, hint, moves, error } = outcome;
  return {
    ...toReportedOutcome(outcome),
    ...(!error && { difference: contentDifference(before, after) }),
    ...(moves && { moves: roundMoves(moves) }),
    ...(hint !== undefined && { hint }),
  };
}

const nameInApi: Readonly<Record<Outcome["kind"], OutcomeName>> = {
  // Only dry runs end with a pending write.
  pending: "would patch",
  written: "patched",
  "already written": "already patched",
  unchanged: "unchanged",
  "not attempted": "not attempted",
  failed: "failed",
  // For the caller an overtaken request has failed; its message says why.
  overtaken: "failed",
};

/** Returns the outcome as the API reports it. */
export function toReportedOutcome({ after, kind, error }: Outcome): EnvironmentOutcome {
  return {
    environment: after.environment,
    outcome: nameInApi[kind],
    ...(error && errorMembers(error)),
  };
}

function errorMembers({ code, message, details }: ApiError) {
  return { ...(code && { code }), message, ...(details && { issues: [...details] }) };
}
