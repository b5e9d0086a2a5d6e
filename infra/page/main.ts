/** Starts the page: the flags of a project, switches, and patches of one that are previewed and applied. */
import type { Actions, BoardActions } from "./actions.ts";
import { addressOfState, createApp } from "./app.ts";
import { drawBoard } from "./board.tsx";
import { createBoardActions } from "./board-actions.ts";
import { drawChoices, offerPlaces } from "./choices.tsx";
import { element } from "./controls.tsx";
import { listenToPage } from "./events.ts";
import { badLink, createFeatureActions } from "./feature-actions.ts";
import { keptHalves } from "./kept.ts";
import { loadBoard } from "./load-board.ts";
import { firstDraft, firstPlace, isLocal, stageName } from "./start.ts";
import { afterPatch, firstState, type PageState } from "./state.ts";
import { drawPage } from "./view.tsx";

const isOfFeature = firstPlace.kind === "feature" || firstPlace.kind === "proposal";
const first = firstState(isOfFeature ? "feature" : "board", firstDraft, keptHalves);
const app = createApp(first, draw);
const actions: Actions = createFeatureActions(app);
const boardActions: BoardActions = createBoardActions(app);

/** While a request is sent, nothing can be changed. */
function draw(state: PageState): void {
  const focused = document.activeElement;
  for (const each of document.querySelectorAll<HTMLElement>("header, #notices, main")) {
    each.inert = state.isSending;
  }
  const names = state.preview?.stored.map(({ environment }) => environment) ?? [];
  offerPlaces(state.board, state.draft);
  drawChoices(names, state.draft, afterPatch(state));
  drawPage(state, actions);
  drawRows();
  // The button that was pressed may be gone.
  if (!focused?.isConnected) {
    element(state.view === "board" ? "#board" : "#result").focus({ preventScroll: true });
  }
}

function drawRows(): void {
  drawBoard(app.state.board, app.state.view === "board", boardActions);
}

listenToPage(app, actions, drawRows);
history.scrollRestoration = "manual";
element("#reference").hidden = !isLocal;
element("#stage").textContent = stageName;
app.preview(app.state);
// A proposal is read once and leaves the address: the page that opened this one cannot replace what is on screen.
if (firstPlace.kind === "proposal") history.replaceState(null, "", addressOfState(app.state));
if (firstPlace.kind === "unknown") {
  history.replaceState(null, "", location.pathname);
  app.update({ ...app.state, result: badLink });
}
if (app.state.view === "board") void loadBoard(app);
