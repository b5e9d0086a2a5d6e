/** What the page knows and shows, and how each event changes it. Nothing here draws, sends, stores or reads a field. */
import type { Variant } from "../../lib/contract/variants.ts";
import { type Board, emptyBoard } from "./board-state.ts";
import { featureOf, type Half, isHalfOf } from "./kept.ts";
import type { Result } from "./outcome.ts";
import { applied, type FieldValues, readPatch } from "./patch.ts";
import type { Preview } from "./preview.ts";
import { newKey, type PatchRequest } from "./request.ts";
import { isPassing } from "./verdict.ts";

export interface PageState {
  view: "board" | "feature";
  board: Board;
  draft: PatchRequest;
  /** What the header's fields have, where it is not shown yet. */
  typed: FieldValues | undefined;
  /** The last preview: of the draft, or of one before it. */
  preview: Preview | undefined;
  /** What came of the last request that was to write, until the draft changes. */
  result: Result | undefined;
  halves: readonly Half[];
  /** The request that is under way: it may be half done if the page is left before its response. */
  pending: Half | undefined;
  /** What the page took for stored before another request changed it, until the user has seen the change. */
  seen: Preview["stored"];
  /** The draft that another feature, or a change to make again, has replaced, until its patch is brought back. */
  setAside: PatchRequest | undefined;
  /** The text that "Make again" has filled in. */
  filledIn: string;
  /** The environment that the field has again after a request for which a button chose another one. */
  scope: string | undefined;
  /** The address of another link that was opened in this tab, until the user has decided about it. */
  link: string;
  isSending: boolean;
  /** Whether variants that the patch leaves as they are are shown too. */
  isUnfolded: boolean;
}

export const empty = { environment: "", text: "[]", change: "", switchTo: "", reason: "" };

export function firstState(view: PageState["view"], draft: PatchRequest, halves: readonly Half[]): PageState {
  return {
    view,
    board: emptyBoard,
    draft,
    typed: undefined,
    preview: undefined,
    result: undefined,
    halves,
    pending: undefined,
    seen: [],
    setAside: undefined,
    filledIn: "",
    scope: undefined,
    link: "",
    isSending: false,
    isUnfolded: false,
  };
}

/** A changed patch has another idempotency key, and is no proposal. */
export function edited(state: PageState, changed: Partial<PatchRequest>): PageState {
  const draft = { ...state.draft, idempotencyKey: newKey(), proposed: "", ...changed };
  const isOther = featureOf(draft) !== featureOf(state.draft);
  // A half-done patch has a button of its own.
  const isReplaced =
    isOther && draft.text !== state.draft.text && !state.halves.some((half) => isHalfOf(half, state.draft));
  const setAside = isReplaced ? state.draft : state.setAside;
  return {
    ...state,
    draft,
    typed: undefined,
    result: undefined,
    seen: isOther ? [] : state.seen,
    setAside: draft.text === setAside?.text ? undefined : setAside,
  };
}

/** Shows what the header's fields have. The first feature that is entered gets the patch that is there. */
export function showing(state: PageState, values: FieldValues): PageState {
  const { feature, idempotencyKey, proposed } = state.draft;
  const isMoved = featureOf({ ...state.draft, ...values }) !== featureOf(state.draft);
  const rest = isMoved ? feature !== "" && empty : { idempotencyKey, proposed };
  return edited(state, { ...values, ...rest });
}

export function typing(state: PageState, values: FieldValues): PageState {
  const current: FieldValues = state.draft;
  const isShown = Object.entries(values).every(([name, value]) => current[name] === value);
  return { ...state, typed: isShown ? undefined : values };
}

/** A newer draft gets a preview of its own. Environments that were read once stay while the server is away. */
export function previewed(state: PageState, loaded: Preview): PageState {
  if (loaded.draft !== state.draft) return state;
  const { preview } = state;
  const isKept =
    preview && isPassing(loaded.plan) && loaded.stored.length === 0 && isSameFeature(preview, loaded);
  if (!isKept) return { ...state, preview: loaded };
  const { stored, history, readAt } = preview;
  return { ...state, preview: { ...loaded, stored, history, readAt, isOld: true } };
}

const isSameFeature = (one: Preview, other: Preview) => featureOf(one.draft) === featureOf(other.draft);

/** A button has chosen the environment: the field has the one before again, once the request is done. */
export function undoing(state: PageState, change: string, environment: string): PageState {
  return { ...edited(state, { change, switchTo: "", environment, reason: "" }), scope: scopeOf(state) };
}

/** In one environment, or in all of them. */
export function switching(state: PageState, switchTo: string, environment: string): PageState {
  return { ...edited(state, { switchTo, change: "", environment, reason: "" }), scope: scopeOf(state) };
}

/** Fills the draft with what a change did. */
export function makingAgain(state: PageState, text: string, environment: string): PageState {
  const isWritten = !["[]", state.filledIn].includes(state.draft.text);
  const made = edited(state, { ...empty, environment, form: "name", text });
  const setAside = isWritten ? state.draft : state.setAside;
  return { ...made, filledIn: text, scope: scopeOf(state), setAside };
}

export function backToPatch(state: PageState): PageState {
  return { ...edited(state, { change: "", switchTo: "", environment: scopeOf(state) }), scope: undefined };
}

export function scopeOf({ scope, draft }: PageState): string {
  return scope ?? draft.environment;
}

/** The environments as the patch in the editor leaves them. */
export function afterPatch({ draft, preview }: PageState): { environment: string; variants: Variant[] }[] {
  const patch = readPatch(draft.text);
  const inScope = (preview?.stored ?? []).filter((each) =>
    ["", each.environment].includes(draft.environment),
  );
  return inScope.map(({ environment, variants }) => ({
    environment,
    variants: applied(variants, patch, draft.form),
  }));
}
