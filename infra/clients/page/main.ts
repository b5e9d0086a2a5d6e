/** Starts the page, and draws it again on events of the browser. */
import { h, render } from "preact";
import { App } from "./app.ts";
import { loadBoard } from "./board/load-board.ts";
import { readStoredDrafts } from "./draft/browser-storage.ts";
import { newDraft } from "./draft/draft.ts";
import { atPlace, initialState, type PageState, withDraft } from "./page-state.ts";
import { addressOf, readPlace } from "./place.ts";
import { View } from "./view.tsx";

/** The key and the stage of the page. Only the local server adds a key: the demo's, or an empty one. */
const { key, stage = "" } = document.body.dataset;
const root = document.body.appendChild(document.createElement("div"));
const app = new App(stateAtStart(), draw);

function stateAtStart(): PageState {
  const place = readPlace(location.href);
  const restored = { ...initialState, key: key ?? "", earlierDrafts: readStoredDrafts() };
  if (place.kind === "unknown") return { ...restored, linkIssue: place.issue };
  if (place.kind === "proposal") {
    const { project, feature, ...members } = place.proposal;
    return withDraft(atPlace(restored, project, feature), newDraft(project, feature, members));
  }
  const { project } = place;
  return atPlace(restored, project || restored.project, place.kind === "feature" ? place.feature : "");
}

function draw(state: PageState): void {
  document.body.dataset.view = state.feature ? "feature" : "board";
  const isLocal = key !== undefined;
  render(h(View, { app, state, stage: isLocal ? "local" : stage, isLocal }), root);
  // While a draft is sent, the user can begin nothing else.
  for (const each of document.querySelectorAll<HTMLElement>(
    "#top, main > :not(.confirmation, .flags), .flags > .table",
  )) {
    each.inert = state.isSending;
  }
}

const frame = { isWaiting: false };
for (const type of ["scroll", "resize"]) {
  addEventListener(type, () => {
    if (frame.isWaiting || app.state.feature) return;
    frame.isWaiting = true;
    requestAnimationFrame(() => {
      frame.isWaiting = false;
      draw(app.state);
    });
  });
}
addEventListener("hashchange", () => app.followAddress(location.href));
// Rows out of sight are not in the document: the browser would not find their names.
addEventListener("keydown", (event) => {
  const search = document.querySelector<HTMLInputElement>("#search");
  const isFind = (event.ctrlKey || event.metaKey) && event.key === "f";
  if (!isFind || !search || document.activeElement === search) return;
  event.preventDefault();
  search.select();
});
setInterval(() => draw(app.state), 30_000);
history.scrollRestoration = "manual";
// A proposal is read once and leaves the address: the page that opened this one cannot replace what is on screen.
if (location.hash)
  history.replaceState(null, "", app.state.linkIssue ? location.pathname : addressOf(app.state));
draw(app.state);
if (app.state.key) {
  void loadBoard(app);
  app.refresh();
}
