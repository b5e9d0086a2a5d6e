/** Reports outcomes: as details, and as what the answer to a change or a dry run says. */
import type { Detail } from "../../contract/error-body.ts";
import type { ApiError } from "../../contract/errors.ts";
import type { Variant, VariantForm } from "../../contract/variants.ts";
import type { Edit, EnvironmentContent, States } from "../model.ts";
import { movedShare, roundMoves, roundShare } from "../moves/moves.ts";
import { contentDifference } from "../patch/differences.ts";
import { toDocument } from "../patch/environment-form.ts";
import { toForm } from "../patch/variant-form.ts";
import { isFailure, type PlannedOutcome } from "./outcome.ts";

export interface Report {
  body: object;
  details: Detail[];
  /** The share of the users who move in every environment whose moves are known; null: it cannot be computed. */
  shares: ReadonlyMap<string, number | null>;
  /** The largest of the shares. Undefined: none is known. Null: one cannot be computed. */
  largestShare: number | null | undefined;
  /** The first hint, and its environment. */
  hint: { environment: string; hint: string } | undefined;
}

/** `form`: of the variants in the body. */
export function reportChange(outcomes: readonly PlannedOutcome[], edit: Edit, form: VariantForm): Report {
  return { ...reportOf(outcomes), body: bodyAfter(outcomes, edit, form) };
}

export function reportPreview(outcomes: readonly PlannedOutcome[], edit: Edit, form: VariantForm): Report {
  return { ...reportOf(outcomes), body: bodyOfPreview(outcomes, edit, form) };
}

function reportOf(outcomes: readonly PlannedOutcome[]): Omit<Report, "body"> {
  const shares = sharesOf(outcomes);
  const hints = outcomes.flatMap(({ after: { environment }, hint }) =>
    hint === undefined ? [] : { environment, hint },
  );
  return {
    details: outcomes.map(toDetail),
    shares,
    largestShare: largest(shares),
    hint: hints[0],
  };
}

function sharesOf(outcomes: readonly PlannedOutcome[]): Report["shares"] {
  return new Map(
    outcomes.flatMap(({ after, moves }) => {
      const share = moves && movedShare(moves);
      return share === undefined ? [] : [[after.environment, share && roundShare(share)]];
    }),
  );
}

function largest(shares: Report["shares"]): Report["largestShare"] {
  let most: number | undefined;
  for (const share of shares.values()) {
    if (share === null) return null;
    most = Math.max(most ?? 0, share);
  }
  return most;
}

export function hasChange(outcomes: readonly PlannedOutcome[]): boolean {
  return outcomes.some(({ kind }) => kind === "written" || kind === "already there");
}

/** What the API calls them. Only a dry run ends with a pending write. */
const namesInApi = {
  pending: "would patch",
  written: "patched",
  "already there": "already patched",
  unchanged: "unchanged",
  failed: "failed",
  "changed since": "failed",
  "not attempted": "not attempted",
} as const;

export function toDetail(outcome: PlannedOutcome) {
  const { kind, after } = outcome;
  return {
    environment: after.environment,
    outcome: namesInApi[kind],
    ...(isFailure(outcome) && reasonOf(outcome.error)),
  } satisfies Detail;
}

function reasonOf({ code, message, details }: ApiError) {
  return { ...(code && { code }), message, ...(details && { issues: [...details] }) };
}

/** Has the strategy after a change of one, the variants of the first environment after a patch of variants or an undo. */
function bodyAfter(outcomes: readonly PlannedOutcome[], edit: Edit, form: VariantForm): object {
  const after = outcomes.map((outcome) => outcome.after);
  if (edit.kind === "patch" && typeof edit.root === "object") {
    const { strategy } = edit.root;
    return after.flatMap(({ strategies }) => strategies).find(({ id }) => id === strategy) ?? {};
  }
  if (hasVariantsBody(edit)) return variantsBody(after, form);
  return { version: 1, environments: after.map((state) => inEnvironment(state, edit)) };
}

function bodyOfPreview(outcomes: readonly PlannedOutcome[], edit: Edit, form: VariantForm): object {
  if (!hasVariantsBody(edit)) {
    const environments = outcomes.map((one) => ({ ...inEnvironment(one.after, edit), ...toPreview(one) }));
    return { version: 1, environments };
  }
  const environments = outcomes.map((one) => ({
    ...toPreview(one),
    variants: toForm(one.after.variants, form),
  }));
  return { ...bodyAfter(outcomes, edit, form), environments };
}

function hasVariantsBody(edit: Edit): boolean {
  return edit.kind === "undo" || (edit.kind === "patch" && edit.root === "variants");
}

/** Has `enabled` after a switch, and the whole environment after a patch. */
function inEnvironment(state: States[number], { kind }: Edit) {
  const { environment, enabled } = state;
  return kind === "switch" ? { environment, enabled } : withDocument(state);
}

function withDocument(content: EnvironmentContent & { environment: string }) {
  return { environment: content.environment, ...toDocument(content) };
}

/** The members that every dry run has. */
function toPreview(outcome: PlannedOutcome) {
  const { before, after, hint, moves } = outcome;
  return {
    ...toDetail(outcome),
    ...(!isFailure(outcome) && { difference: contentDifference(before, after) }),
    ...(moves && { moves: roundMoves(moves) }),
    ...(hint !== undefined && { hint }),
  };
}

/** All of the one environment that was read. */
export function environmentBody([state]: States) {
  return state && { version: 1, ...withDocument(state) };
}

/** The variants of the first environment. */
export function variantsBody([first]: readonly { variants: Variant[] }[], form: VariantForm) {
  return { version: 1, ...formOf(form), variants: toForm(first?.variants ?? [], form) };
}

/** A body by name says so; generated clients distinguish the two forms by it. */
export function formOf(form: VariantForm) {
  return form === "name" && { by: form };
}
