/** The state of the page, and the functions that return the next state. Draws, sends and stores nothing. */
import { type Board, emptyBoard } from "./board/board-state.ts";
import { type Draft, isInScope, newPageId } from "./draft/draft.ts";
import { applied, readPatch } from "./draft/patch.ts";
import type { DryRunReply, Preview, WriteReply } from "./draft/send-draft.ts";
import type { FeaturePlace, ShownEnvironment, ShownFeature } from "./requests/shown.ts";

/** A draft that was previewed. */
interface DryRun {
  draft: Draft;
  reply: DryRunReply;
}

/** A draft that was sent. */
export interface Result {
  draft: Draft;
  reply: WriteReply;
  /** The names of the environments in which the draft was to be stored. */
  where: readonly string[];
}

export interface PageState {
  key: string;
  project: string;
  /** "" while the board is shown. */
  feature: string;
  board: Board;
  shownFeature: ShownFeature | undefined;
  /** The newest draft, of the shown feature or of another one. */
  draft: Draft | undefined;
  /** Drafts that newer ones have replaced; the last one comes back first. */
  earlierDrafts: readonly Draft[];
  dryRun: DryRun | undefined;
  result: Result | undefined;
  /** The address of a link that was opened in this tab, until the user loads or ignores it. */
  link: string;
  /** Why the link that was opened last is no proposal, or "". */
  linkIssue: string;
  isSending: boolean;
  /** The feature that this tab deleted last, while it offers to restore it. */
  deleted: Deleted | undefined;
  /** The name of the feature that this tab restored last, while the page says so; or "". */
  restored: string;
}

export interface Deleted extends FeaturePlace {
  restorableUntil: string;
}

/** Holds the state, and draws each new one. */
export interface StateHolder {
  readonly state: PageState;
  update(changed: PageState): void;
}

export const initialState: PageState = {
  key: "",
  project: "default",
  feature: "",
  board: emptyBoard,
  shownFeature: undefined,
  draft: undefined,
  earlierDrafts: [],
  dryRun: undefined,
  result: undefined,
  link: "",
  linkIssue: "",
  isSending: false,
  deleted: undefined,
  restored: "",
};

/** Takes another API key, and forgets the errors and the preview that the server responded with to the one before. */
export function withKey(state: PageState, key: string): PageState {
  if (key === state.key) return state;
  const { shownFeature } = state;
  const isRead = shownFeature !== undefined && shownFeature.readAt > 0;
  const rest = isRead ? { ...shownFeature, error: "" } : undefined;
  return { ...state, key, dryRun: undefined, shownFeature: rest };
}

/** Returns the draft if it belongs to what is shown. */
export function shownDraft({ draft, project, feature }: PageState): Draft | undefined {
  if (draft?.project !== project) return undefined;
  return (feature === "" ? draft.isOfBoard : draft.feature === feature) ? draft : undefined;
}

/** Returns the reply to the dry run of the draft, or undefined until there is one. */
export function dryRunOf({ dryRun }: PageState, draft: Draft | undefined): DryRunReply | undefined {
  return dryRun && dryRun.draft.idempotencyKey === draft?.idempotencyKey ? dryRun.reply : undefined;
}

/** Begins a draft. The one before is set aside if it is worth keeping, and comes back after the new one. */
export function withDraft(state: PageState, draft: Draft): PageState {
  const { draft: before, earlierDrafts } = state;
  // On the board, another change of the same feature replaces the draft.
  const isSetAside =
    before && (before.feature !== draft.feature || !before.isOfBoard) && isWorthKeeping(before);
  return {
    ...state,
    draft,
    earlierDrafts: isSetAside ? [...earlierDrafts, before] : earlierDrafts,
    dryRun: undefined,
    result: undefined,
  };
}

export function isEmpty({ text, undo }: Draft): boolean {
  return undo === "" && ["", "[]"].includes(text.trim());
}

/** Whether the user has written something, or has sent the draft, as its response may be lost. An undo is quickly opened again. */
export function isWorthKeeping(draft: Draft): boolean {
  return draft.isSent || (draft.undo === "" && !isEmpty(draft));
}

/** An edited draft is no longer the proposal of a link; with another patch or place it is another request. */
export function editedDraft(draft: Draft, members: Partial<Draft>): Draft {
  const isOtherRequest = ["text", "environment", "undo"].some((name) => name in members);
  return {
    ...draft,
    proposedEtag: "",
    ...(isOtherRequest && { idempotencyKey: newPageId(), isSent: false }),
    ...("environment" in members && { readEtag: "" }),
    ...members,
  };
}

/**
 * Returns the ETag of the older of two reads: that of a draft, and that from which operations were made that are added to it.
 * If the latter is not shown any more, it is outdated itself, and the write is refused.
 */
export function olderEtag({ shownFeature }: PageState, ofDraft: string, ofAdded: string): string {
  const isShown = shownFeature?.environments.some(({ etag }) => etag === ofAdded);
  return ofDraft !== "" && isShown ? ofDraft : ofAdded;
}

/** Shows what the draft has written in its environment until that is read again, so that forms are made from it. */
export function withWritten(state: PageState, preview: Preview, etag: string): PageState {
  const { shownFeature } = state;
  if (!shownFeature) return state;
  const after = contentsAfter(state);
  const environments = shownFeature.environments.map((stored, index) =>
    etag !== "" && stored.etag === preview.etag ? { ...stored, ...after[index], etag } : stored,
  );
  return { ...state, shownFeature: { ...shownFeature, environments, etag: "" } };
}

/** Drops the draft, and brings back the one that was set aside last. */
export function withoutDraft(state: PageState): PageState {
  return {
    ...state,
    draft: state.earlierDrafts.at(-1),
    earlierDrafts: state.earlierDrafts.slice(0, -1),
    dryRun: undefined,
  };
}

/** Drops the drafts of a feature that was deleted. */
export function withoutDraftsOf(state: PageState, { project, feature }: FeaturePlace): PageState {
  const rest = draftsOf(state).filter((each) => each.project !== project || each.feature !== feature);
  return {
    ...state,
    draft: rest.at(-1),
    earlierDrafts: rest.slice(0, -1),
    dryRun: undefined,
    result: undefined,
  };
}

/** Opens a feature with its draft, or the board. */
export function atPlace(state: PageState, project: string, feature: string): PageState {
  // Drops a draft that the board began: if its response was lost, the preview of the next one shows whether it is stored.
  const all = draftsOf(state).filter((each) => !each.isOfBoard && isWorthKeeping(each));
  const isOwn = (each: Draft) => each.project === project && each.feature === feature;
  const own = all.findLast(isOwn);
  const rest = all.filter((each) => each !== own);
  const isSame = state.project === project && state.feature === feature;
  return {
    ...state,
    project,
    feature,
    draft: own ?? rest.at(-1),
    earlierDrafts: own ? rest : rest.slice(0, -1),
    shownFeature: isSame || state.shownFeature?.name === feature ? state.shownFeature : undefined,
    dryRun: isSame ? state.dryRun : undefined,
    result: isSame ? state.result : undefined,
    linkIssue: "",
    link: "",
    // The deleted feature may exist again.
    deleted: state.deleted?.feature === feature ? undefined : state.deleted,
    restored: state.restored === feature ? feature : "",
  };
}

export function draftsOf({ draft, earlierDrafts }: PageState): readonly Draft[] {
  return [...earlierDrafts, ...(draft ? [draft] : [])];
}

/**
 * Returns each environment after the draft: by the difference of its dry run, or as the page applies the patch where there
 * is none: before the reply, and where the draft fails.
 */
export function contentsAfter(state: PageState): readonly ShownEnvironment[] {
  const draft = shownDraft(state);
  const { environments = [] } = state.shownFeature ?? {};
  if (!draft) return environments;
  const reply = dryRunOf(state, draft);
  const previews = reply?.kind === "preview" ? reply.environments : [];
  return environments.map((stored) => {
    const { environment } = stored;
    const preview = inEnvironment(previews, environment);
    if (preview?.difference) return applied(stored, preview.difference) ?? stored;
    const isPatched = isInScope(draft, environment) && draft.undo === "";
    return (isPatched && applied(stored, readPatch(draft.text))) || stored;
  });
}

export function inEnvironment<Content extends { environment: string }>(
  contents: readonly Content[],
  name: string,
): Content | undefined {
  return contents.find(({ environment }) => environment === name);
}
