/** Does what the controls say: every change is a draft that is previewed by a dry run, confirmed, and sent. */
import { withFeature } from "./board-state.ts";
import { keepDrafts, keepOptions, keptOptions } from "./kept.ts";
import { type Flag, loadChanges, loadFeature } from "./load.ts";
import { loadBoard } from "./load-board.ts";
import type { State } from "./page-state.ts";
import * as next from "./page-state.ts";
import { type Operation, withOperations, writePatch } from "./patch.ts";
import { addressOf, readPlace } from "./place.ts";
import { switchOperation } from "./proposal.ts";
import { type Draft, newDraft } from "./request.ts";
import { send } from "./send.ts";

export type App = ReturnType<typeof createApp>;

export function createApp(first: State, draw: (state: State) => void) {
  let state = first;
  let timer: ReturnType<typeof setTimeout>;

  function update(changed: State): void {
    state = changed;
    keepDrafts(next.draftsOf(state));
    draw(state);
  }

  /** Reads the feature again, and previews the draft. */
  async function refresh(written = ""): Promise<void> {
    const { key, project } = state;
    const draft = next.shownDraft(state);
    const name = draft?.feature ?? (state.feature || written);
    if (key === "" || name === "") return;
    const place = { project, feature: name };
    const isPreviewed = draft && !next.isEmpty(draft);
    const [read, reply, history] = await Promise.all([
      loadFeature(key, place),
      isPreviewed && send(draft, key, "dry run"),
      loadChanges(key, place),
    ]);
    const now = next.shownDraft(state);
    if (state.isSending || state.key !== key || state.project !== project) return;
    if (now?.idempotencyKey !== draft?.idempotencyKey || (!draft && state.feature && state.feature !== name))
      return;
    const known = state.flag?.name === name && state.flag.project === project ? state.flag : undefined;
    const flag = toFlag(place, read, history, known);
    const plan = draft && reply ? { draft, reply } : state.plan;
    update({ ...state, flag, plan, board: read.json ? withFeature(state.board, flag) : state.board });
  }

  function refreshSoon(delay = 0): void {
    clearTimeout(timer);
    timer = setTimeout(() => void refresh(), delay);
  }

  function begin(members: Partial<Draft> & { feature: string }): void {
    update(next.beginning(state, newDraft(state.project, members.feature, members)));
    refreshSoon();
    focusOnAsk();
  }

  function change(changed: Partial<Draft>): void {
    const draft = next.shownDraft(state);
    if (!draft) return;
    const isOption = Object.keys(changed).some((name) => name in keptOptions());
    if (isOption) keepOptions({ ...draft, ...changed });
    const after = next.edited(draft, changed);
    if (next.isEmpty(after)) {
      cancel();
      return;
    }
    const isSame = after.idempotencyKey === draft.idempotencyKey;
    update({ ...state, draft: after, ...(!isSame && { result: undefined }) });
    if (!isSame || isOption) refreshSoon(250);
  }

  function cancel(): void {
    const asked = document.querySelector<HTMLElement>(".asked");
    update({ ...next.ending(state), result: undefined });
    asked?.focus();
    refreshSoon();
  }

  async function apply(): Promise<void> {
    const draft = next.shownDraft(state);
    const plan = next.planOf(state, draft);
    if (!draft || !plan) return;
    const where = plan.environments.filter(
      ({ outcome }) => outcome === "would patch" || outcome === "already patched",
    );
    const sent = { ...draft, isSent: true };
    update({ ...state, draft: sent, isSending: true });
    focusOnAsk();
    const reply = await send(sent, state.key, "write", plan.etag);
    const result = { draft: sent, reply, where: where.map(({ environment }) => environment) };
    const after = reply.error ? { ...state, plan: undefined } : next.ending(state);
    update({ ...after, result, isSending: false });
    focusOnAsk();
    await refresh(draft.feature);
  }

  function show(project: string, feature: string): void {
    const { project: before, feature: shown, board } = state;
    const isBoard = shown === "";
    update({
      ...next.showing(state, project, feature),
      board: isBoard ? { ...board, scrollY } : board,
    });
    scrollTo(0, feature === "" ? board.scrollY : 0);
    const isLoaded = board.phase === "loaded" && board.key === state.key && before === project;
    if (!isLoaded) void loadBoard(app);
    refreshSoon();
  }

  const app = {
    get state() {
      return state;
    },
    update,
    refresh: () => void refresh(),
    change,
    cancel,
    apply: () => void apply(),
    show,

    enter(key: string): void {
      update({ ...state, key });
      void loadBoard(app);
      refreshSoon();
    },

    /** From a link or a button of the page: `back` returns. */
    open(project: string, feature = ""): void {
      history.pushState(null, "", addressOf({ project, feature }));
      show(project, feature);
    },

    switchTo(feature: string, environment: string, enabled: boolean): void {
      begin({
        feature,
        environment,
        text: writePatch([switchOperation(enabled)]),
        isOfBoard: state.feature === "",
        // A late alarm must not switch a broken feature on again. A switch moves everyone.
        ...(enabled && { ...keptOptions(), mostMoves: "" }),
      });
    },

    undo(undo: string, environment: string, feature: string): void {
      begin({ feature, undo, environment, isOfBoard: state.feature === "" });
    },

    /** Adds operations to the draft of this environment, or begins one. */
    edit(environment: string, operations: readonly Operation[]): void {
      const draft = next.shownDraft(state);
      const isOpen = draft && draft.environment === environment && draft.undo === "";
      const before = isOpen
        ? draft
        : newDraft(state.project, state.feature, { environment, ...keptOptions() });
      const text = withOperations(before.text, operations);
      if (isOpen) change({ text });
      else {
        update(next.beginning(state, { ...before, text }));
        refreshSoon();
      }
    },

    /** A patch that is written as text, or that another one was made of. */
    write(environment: string, operations: readonly object[] | string): void {
      const text = typeof operations === "string" ? operations : writePatch(operations);
      begin({ feature: state.feature, environment, text, ...keptOptions() });
    },

    close: () => update({ ...state, result: undefined, isBadLink: false }),

    follow(href: string): void {
      const place = readPlace(href);
      // Until a response is there, the page stays where it is.
      if (state.isSending || place.kind === "proposal" || place.kind === "unknown") {
        // Another page may have set it: what is shown and applied stays until the user decides.
        history.replaceState(null, "", addressOf(state));
        update({ ...state, link: state.isSending ? "" : href });
        return;
      }
      show(place.project || state.project, place.kind === "feature" ? place.feature : "");
    },

    /** Loads the proposal of a link in place of what is shown. */
    propose(href: string): void {
      const place = readPlace(href);
      if (place.kind !== "proposal") {
        update({ ...state, link: "", isBadLink: true });
        return;
      }
      const { project, feature, ...members } = place.proposal;
      history.pushState(null, "", addressOf({ project, feature }));
      show(project, feature);
      begin({ feature, ...members });
    },

    stay: () => update({ ...state, link: "" }),
  };
  return app;
}

/** The button that confirms may be off the screen, or not drawn yet. */
function focusOnAsk(): void {
  const ask = document.querySelector<HTMLElement>(".ask");
  ask?.focus({ preventScroll: true });
  ask?.scrollIntoView({ block: "nearest" });
}

function toFlag(
  { project, feature }: { project: string; feature: string },
  { json, error }: Awaited<ReturnType<typeof loadFeature>>,
  history: Flag["history"],
  known: Flag | undefined,
): Flag {
  const { tags = [], environments = [] } = json ?? known ?? {};
  const readAt = json ? Date.now() : (known?.readAt ?? 0);
  return { project, name: feature, tags, environments, error, readAt, history: history ?? known?.history };
}
