/** Holds what the page knows, keeps what a reload needs, and draws after each change. */
import type { Board } from "./board-state.ts";
import { keep } from "./kept.ts";
import { addressOf } from "./place.ts";
import { loadPreview } from "./preview.ts";
import { halvesToKeep } from "./sending.ts";
import { type PageState, previewed } from "./state.ts";

export interface App {
  state: PageState;
  update(changed: PageState): void;
  updateBoard(board: Board): void;
  /** Fills the fields with the draft, and previews it. The preview may move what is below it. */
  preview(changed: PageState, onPreview?: () => void): void;
}

export function createApp(first: PageState, draw: (state: PageState) => void): App {
  let timer: ReturnType<typeof setTimeout>;
  const app: App = {
    state: first,
    update(changed) {
      app.state = changed;
      keep(changed.draft, halvesToKeep(changed));
      draw(changed);
    },
    updateBoard: (board) => app.update({ ...app.state, board }),
    preview(changed, onPreview = () => {}) {
      app.update(changed);
      const { draft, view } = app.state;
      for (const [name, value] of Object.entries(draft)) {
        Object.assign(document.querySelector(`[name="${name}"]`) ?? {}, { value });
      }
      clearTimeout(timer);
      if (view === "board" || draft.key === "" || draft.feature === "") return;
      timer = setTimeout(async () => {
        const loaded = await loadPreview(draft);
        app.update(previewed(app.state, loaded));
        if (app.state.preview === loaded) onPreview();
      }, 250);
    },
  };
  return app;
}

/** The fragment of what is shown. */
export function addressOfState({ view, draft }: PageState): string {
  const { project, feature } = draft;
  return addressOf(view === "feature" ? { project, feature } : { project });
}
