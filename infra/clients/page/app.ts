/**
 * Carries out what the user does on the page: shows, edits and sends. Every change is a draft, which is previewed by a dry
 * run, confirmed, and sent.
 */
import { isApplied, needsNewIdempotencyKey } from "../api/error-codes.ts";
import { type Filter, withoutFeature } from "./board/board-state.ts";
import { loadBoard } from "./board/load-board.ts";
import { readStoredOptions, storeDrafts, storeOptions } from "./draft/browser-storage.ts";
import { type Draft, etagRequiredBy, newDraft, withNewIdempotencyKey, withOptions } from "./draft/draft.ts";
import { effectOf, environmentNames } from "./draft/effect.ts";
import { type Operation, withOperations, writePatch } from "./draft/patch.ts";
import { switchOperation } from "./draft/proposal.ts";
import { sendDraft } from "./draft/send-draft.ts";
import {
  atPlace,
  draftsOf,
  dryRunOf,
  editedDraft,
  isEmpty,
  isWorthKeeping,
  olderEtag,
  type PageState,
  type StateHolder,
  shownDraft,
  withDraft,
  withKey,
  withoutDraft,
  withoutDraftsOf,
  withWritten,
} from "./page-state.ts";
import { addressOf, readPlace } from "./place.ts";
import { Refresher } from "./refresher.ts";
import { sendCreation, sendDeletion, sendRestoration } from "./requests/create-and-delete.ts";
import {
  codeOf,
  type Failure,
  isPreconditionFailed,
  type Loaded,
  leavesOutcomeUnknown,
} from "./requests/exchange.ts";
import { loadFeature } from "./requests/load.ts";
import type { FeatureBody, FeaturePlace, ShownFeature } from "./requests/shown.ts";

/** The pause in typing after which a draft is previewed. */
const typingPauseMs = 250;

export class App implements StateHolder {
  #state: PageState;
  readonly #draw: (state: PageState) => void;
  readonly #refresher = new Refresher(this);

  constructor(initial: PageState, draw: (state: PageState) => void) {
    this.#state = initial;
    this.#draw = draw;
  }

  get state(): PageState {
    return this.#state;
  }

  update(state: PageState): void {
    this.#state = state;
    storeDrafts(draftsOf(state).filter(isWorthKeeping));
    this.#draw(state);
  }

  /** Shows what this API key may read. */
  useKey(key: string): void {
    this.update(withKey(this.#state, key));
    void loadBoard(this);
    this.#refresher.refreshSoon();
  }

  /** Shows a feature, or the board without one, and adds the place to the browser's history. */
  open(project: string, feature = ""): void {
    history.pushState(null, "", addressOf({ project, feature }));
    this.#show(project, feature);
  }

  /** Shows the place of an address that the browser has gone to. */
  followAddress(href: string): void {
    const place = readPlace(href);
    // While a draft is sent, the page stays where it is.
    if (this.#state.isSending || place.kind === "proposal" || place.kind === "unknown") {
      // Another page may have set the address: the user decides whether its link replaces what is shown.
      history.replaceState(null, "", addressOf(this.#state));
      this.update({ ...this.#state, link: this.#state.isSending ? "" : href });
      return;
    }
    this.#show(place.project || this.#state.project, place.kind === "feature" ? place.feature : "");
  }

  /** Shows the proposal of a link in place of what is shown. */
  openProposal(href: string): void {
    const place = readPlace(href);
    if (place.kind !== "proposal") {
      this.update({ ...this.#state, link: "", linkIssue: place.kind === "unknown" ? place.issue : "" });
      return;
    }
    const { project, feature, ...members } = place.proposal;
    this.open(project, feature);
    this.#begin(newDraft(project, feature, members));
  }

  filterBoard(members: Partial<Filter>): void {
    const { board } = this.#state;
    this.update({ ...this.#state, board: { ...board, filter: { ...board.filter, ...members } } });
    scrollTo(0, 0);
  }

  ignoreLink(): void {
    this.#close({ ...this.#state, link: "" });
  }

  closeMessages(): void {
    this.#close({ ...this.#state, result: undefined, deleted: undefined, restored: "", linkIssue: "" });
  }

  /** Draws the state. If the button that was pressed is gone then, focuses the switch that began the draft, or the main part. */
  #close(state: PageState): void {
    const drafted = document.querySelector<HTMLElement>(".drafted");
    this.update(state);
    if (document.activeElement !== document.body) return;
    const remaining = drafted?.isConnected ? drafted : document.querySelector("main");
    remaining?.focus({ preventScroll: true });
  }

  #show(project: string, feature: string): void {
    const { state } = this;
    const isOnBoard = state.feature === "";
    const { board } = state;
    this.update({
      ...atPlace(state, project, feature),
      board: isOnBoard ? { ...board, scrollY } : board,
    });
    scrollTo(0, feature === "" ? board.scrollY : 0);
    const isLoaded = board.phase === "loaded" && board.key === state.key && state.project === project;
    if (!isLoaded) void loadBoard(this);
    this.#refresher.refreshSoon();
  }

  readFeature({ project, name: feature }: ShownFeature): Promise<Loaded<FeatureBody>> {
    return loadFeature(this.#state.key, { project, feature });
  }

  refresh(): void {
    void this.#refresher.refresh();
  }

  draftSwitch(feature: string, environment: string, enabled: boolean): void {
    const text = writePatch([switchOperation(enabled)]);
    const isOfBoard = this.#state.feature === "";
    this.#begin(this.#newPatch({ feature, environment, text, isOfBoard }));
  }

  draftUndo(change: string, environment: string, feature: string): void {
    const isOfBoard = this.#state.feature === "";
    this.#begin(newDraft(this.#state.project, feature, { undo: change, environment, isOfBoard }));
  }

  /** Begins a patch that the user writes as text, or operations that a form has made. */
  draftPatch(
    environment: string,
    operations: readonly object[] | string,
    members: Pick<Partial<Draft>, "reason" | "readEtag"> = {},
  ): void {
    const text = typeof operations === "string" ? operations : writePatch(operations);
    this.#begin(this.#newPatch({ environment, text, ...members }));
  }

  /**
   * Adds operations to the draft of this environment, or begins a draft with them. `readEtag` is the ETag of the read from
   * which they were made.
   */
  addOperations(environment: string, operations: readonly Operation[], readEtag: string): void {
    const { state } = this;
    const draft = shownDraft(state);
    if (draft && draft.environment === environment && draft.undo === "") {
      const text = withOperations(draft.text, operations);
      this.editDraft({ text, readEtag: olderEtag(state, draft.readEtag, readEtag) });
      return;
    }
    const text = withOperations("[]", operations);
    this.update(withDraft(state, this.#newPatch({ environment, text, readEtag })));
    this.#refresher.refreshSoon();
  }

  editDraft(members: Partial<Draft>): void {
    const before = shownDraft(this.#state);
    if (!before) return;
    const isOption = Object.keys(members).some((name) => name in readStoredOptions());
    if (isOption) storeOptions({ ...readStoredOptions(), ...members });
    const draft = editedDraft(before, members);
    if (isEmpty(draft)) {
      this.discardDraft();
      return;
    }
    const isSameRequest = draft.idempotencyKey === before.idempotencyKey;
    this.update({ ...this.#state, draft, ...(!isSameRequest && { result: undefined }) });
    if (!isSameRequest || isOption) this.#refresher.refreshSoon(typingPauseMs);
  }

  discardDraft(): void {
    this.#close({ ...withoutDraft(this.#state), result: undefined });
    this.#refresher.refreshSoon();
  }

  /** Returns why the shown feature could not be deleted, or "". */
  async deleteFeature(reason: string): Promise<string> {
    const { key, project, feature, shownFeature } = this.#state;
    const place = { project, feature };
    this.update({ ...this.#state, isSending: true });
    const deleted = await sendDeletion(key, place, shownFeature?.etag ?? "", reason);
    this.update({ ...this.#state, isSending: false });
    if (isPreconditionFailed(deleted)) {
      await this.#refresher.refresh();
      return `Nothing was deleted: ${feature} was changed meanwhile. The question now says what it is.`;
    }
    if (deleted.kind !== "loaded")
      return leavesOutcomeUnknown(deleted)
        ? `${feature} may have been deleted. ${deleted.error}`
        : deleted.error;
    const { restorableUntil } = deleted.body;
    const rest = withoutDraftsOf(this.#state, place);
    const board = withoutFeature(rest.board, feature);
    this.update({ ...rest, board, deleted: { ...place, restorableUntil } });
    this.open(project);
    document.querySelector<HTMLElement>("#deleted button")?.focus();
    return "";
  }

  /** Shows the new feature. Returns why it could not be created, or "". */
  async createFeature(place: FeaturePlace, idempotencyKey: string): Promise<string> {
    const before = this.#state;
    const created = await sendCreation(before.key, place, idempotencyKey);
    if (created.kind !== "loaded" && !isApplied(codeOf(created))) return created.error;
    this.#showNew(place, before);
    return "";
  }

  /** Shows the restored feature. Returns why it could not be restored, or "". */
  async restoreFeature(place: FeaturePlace, idempotencyKey: string): Promise<string> {
    const before = this.#state;
    const restored = await sendRestoration(before.key, place, idempotencyKey);
    if (restored.kind !== "loaded" && !isApplied(codeOf(restored))) return restored.error;
    const { deleted } = this.#state;
    const isOfNotice = deleted?.project === place.project && deleted.feature === place.feature;
    this.update({
      ...this.#state,
      restored: place.feature,
      deleted: isOfNotice ? undefined : deleted,
    });
    this.#showNew(place, before);
    return "";
  }

  /** Opens the feature, or lists it on the board where the user has gone elsewhere or begun a draft since then. */
  #showNew(place: FeaturePlace, before: PageState): void {
    const { state } = this;
    const isSamePlace = state.project === before.project && state.feature === before.feature;
    if (isSamePlace && state.draft === before.draft && !state.isSending)
      this.open(place.project, place.feature);
    else void this.#refresher.readForBoard(place);
  }

  /** Returns the draft of a patch, with the options of the last one. */
  #newPatch(members: Partial<Draft>): Draft {
    const { project, feature } = this.#state;
    return withOptions(newDraft(project, feature, members), readStoredOptions());
  }

  #begin(draft: Draft): void {
    this.update(withDraft(this.#state, draft));
    this.#refresher.refreshSoon();
    focusOnConfirmation();
  }

  /** Sends the previewed draft, and shows what came of it. */
  async confirmDraft(): Promise<void> {
    const draft = shownDraft(this.#state);
    const preview = dryRunOf(this.#state, draft);
    if (!draft || preview?.kind !== "preview") return;
    const { changing, done } = effectOf(draft, preview);
    const changed = new Set([...environmentNames(changing), ...done]);
    const where = environmentNames(preview.environments).filter((name) => changed.has(name));
    const sent = { ...draft, isSent: true };
    this.update({ ...this.#state, draft: sent, isSending: true });
    focusOnConfirmation();
    const reply = await sendDraft(sent, this.#state.key, etagRequiredBy(sent, preview.etag));
    const after =
      reply.kind === "written"
        ? withoutDraft(withWritten(this.#state, preview, reply.etag))
        : { ...this.#state, draft: draftAfter(sent, reply), dryRun: undefined };
    this.update({ ...after, result: { draft: sent, reply, where }, isSending: false });
    focusOnConfirmation();
    await this.#refresher.refresh(draft.feature);
  }
}

/** Returns the draft as the user may send it again, after a preview on what is stored by then. */
function draftAfter(sent: Draft, failure: Failure): Draft {
  if (needsNewIdempotencyKey(codeOf(failure))) return withNewIdempotencyKey(sent);
  return isPreconditionFailed(failure) ? { ...sent, readEtag: "" } : sent;
}

/** The button that confirms may be off the screen, or not drawn yet. */
function focusOnConfirmation(): void {
  const confirmation = document.querySelector<HTMLElement>(".confirmation");
  confirmation?.focus({ preventScroll: true });
  confirmation?.scrollIntoView({ block: "nearest" });
}
