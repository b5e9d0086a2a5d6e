/** Reads the shown feature and its changes again, and previews its draft by a dry run. */
import { needsNewIdempotencyKey } from "../api/error-codes.ts";
import { withFeature } from "./board/board-state.ts";
import { withNewIdempotencyKey } from "./draft/draft.ts";
import { previewDraft } from "./draft/send-draft.ts";
import { isEmpty, type PageState, type StateHolder, shownDraft } from "./page-state.ts";
import { codeOf, type Loaded } from "./requests/exchange.ts";
import { loadChanges, loadFeature } from "./requests/load.ts";
import type { Changes, FeatureBody, FeaturePlace, ShownFeature } from "./requests/shown.ts";

export class Refresher {
  readonly #holder: StateHolder;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** How many refreshes have begun. */
  #count = 0;
  /** Which of them the page shows. */
  #shown = 0;

  constructor(holder: StateHolder) {
    this.#holder = holder;
  }

  /** The last call replaces those before that have not begun. */
  refreshSoon(delayMs = 0): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.refresh(), delayMs);
  }

  /** `written`: the feature to read on the board, where no draft names one. */
  async refresh(written = ""): Promise<void> {
    const before = this.#holder.state;
    const { key, project } = before;
    const draft = shownDraft(before);
    const feature = draft?.feature ?? (before.feature || written);
    if (key === "" || feature === "") return;
    const place = { project, feature };
    this.#count++;
    const number = this.#count;
    const [read, reply, history] = await Promise.all([
      loadFeature(key, place),
      draft && !isEmpty(draft) ? previewDraft(draft, key) : undefined,
      loadChanges(key, place),
    ]);
    const { state } = this.#holder;
    if (number < this.#shown || isOutdated(before, state, feature)) return;
    this.#shown = number;
    const shownFeature = toShownFeature(place, read, history, state.shownFeature);
    // Its options may have been edited meanwhile.
    const edited = shownDraft(state);
    if (edited && reply && needsNewIdempotencyKey(codeOf(reply))) {
      this.#holder.update({ ...state, shownFeature, draft: withNewIdempotencyKey(edited) });
      return this.refresh();
    }
    const isRestored = read.kind === "loaded" && state.deleted?.feature === feature;
    this.#holder.update({
      ...state,
      shownFeature,
      deleted: isRestored ? undefined : state.deleted,
      dryRun: draft && reply ? { draft, reply } : state.dryRun,
      board: read.kind === "loaded" ? withFeature(state.board, shownFeature) : state.board,
    });
  }

  /** Lists a feature on the board without showing it. */
  async readForBoard(place: FeaturePlace): Promise<void> {
    const read = await loadFeature(this.#holder.state.key, place);
    const { state } = this.#holder;
    if (read.kind !== "loaded") return;
    const shownFeature = toShownFeature(place, read, undefined, undefined);
    this.#holder.update({ ...state, board: withFeature(state.board, shownFeature) });
  }
}

/** Whether the page shows something else by now, or sends the draft. */
function isOutdated(before: PageState, now: PageState, feature: string): boolean {
  // A read that begins after the deletion finds what was restored since.
  if (now.deleted !== before.deleted && now.deleted?.feature === feature) return true;
  if (now.isSending || now.key !== before.key || now.project !== before.project) return true;
  const draft = shownDraft(before);
  if (shownDraft(now)?.idempotencyKey !== draft?.idempotencyKey) return true;
  return !draft && now.feature !== "" && now.feature !== feature;
}

/** Makes the shown feature of what was read. What could not be read stays as it was read last. */
function toShownFeature(
  { project, feature }: FeaturePlace,
  read: Loaded<FeatureBody>,
  history: Changes | undefined,
  shown: ShownFeature | undefined,
): ShownFeature {
  const known = shown?.name === feature && shown.project === project ? shown : undefined;
  const rest = { project, name: feature, history: history ?? known?.history };
  if (read.kind === "loaded") {
    const { tags, environments } = read.body;
    return { ...rest, tags, environments, etag: read.etag, error: "", readAt: Date.now() };
  }
  const { tags = [], environments = [], etag = "", readAt = 0 } = known ?? {};
  return { ...rest, tags, environments, etag, readAt, error: read.error };
}
