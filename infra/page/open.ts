/** Opens the board or a feature in place of what is shown. */
import type { FeatureWithEnvironments } from "../../lib/contract/lists.ts";
import type { App } from "./app.ts";
import { withFeature } from "./board-state.ts";
import { featureOf } from "./kept.ts";
import { loadBoard } from "./load-board.ts";
import type { Preview } from "./preview.ts";
import type { PatchRequest } from "./request.ts";
import { edited, empty, showing } from "./state.ts";

/** The board has what the feature's own view has read, even if the list is a moment behind. */
export function openBoard(app: App, { key = "", project = "" }: Pick<PatchRequest, "key" | "project">): void {
  const { draft, board, preview: shown, view } = app.state;
  const isMoved = project !== draft.project;
  const read = shown && shown.stored.length > 0 && !shown.isOld && shown.draft.project === board.project;
  const known = read ? withFeature(board, ofPreview(shown), shown.readAt) : board;
  app.preview({
    ...edited(app.state, { ...draft, key, project, ...(isMoved && { ...empty, feature: "" }) }),
    view: "board",
    board: known,
    result: undefined,
  });
  if (view !== "board") scrollTo(0, board.scrollY);
  const isLoaded =
    view !== "board" && board.phase === "loaded" && board.key === key && board.project === project;
  if (!isLoaded) void loadBoard(app);
}

export function openFeature(app: App, place: Pick<PatchRequest, "project" | "feature">): void {
  const { state } = app;
  const board = {
    ...state.board,
    scrollY: state.view === "board" ? scrollY : state.board.scrollY,
    question: undefined,
  };
  const shown = { ...state, board, view: "feature" as const, link: "" };
  const isShown = featureOf(place) === featureOf(state.draft);
  app.preview(isShown ? { ...shown, typed: undefined } : showing(shown, { ...place }));
  scrollTo(0, 0);
}

function ofPreview({ draft, tags, stored }: Preview): FeatureWithEnvironments {
  const environments = stored.map(({ environment, enabled = false, variants }) => ({
    environment,
    enabled,
    variants,
  }));
  return { name: draft.feature, tags, environments };
}
