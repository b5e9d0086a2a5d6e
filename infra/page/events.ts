/** Listens to the forms, the address and the scrolling of the page. */
import type { Actions } from "./actions.ts";
import { type App, addressOfState } from "./app.ts";
import { element, onForm } from "./controls.tsx";
import { loadBoard } from "./load-board.ts";
import { openBoard, openFeature } from "./open.ts";
import { formatted, readPatch, usualOperations, writePatch } from "./patch.ts";
import { readPlace } from "./place.ts";
import { named } from "./send.ts";
import { afterPatch, edited, showing, typing } from "./state.ts";

export function listenToPage(app: App, actions: Actions, drawRows: () => void): void {
  onForm("#feature", "input", (values) => app.update(typing(app.state, values)));
  onForm("#feature", "focusin", () => {
    if (app.state.board.phase === "idle") void loadBoard(app);
  });
  onForm("#feature", "submit", (values) => {
    if (app.state.view === "board") return openBoard(app, { ...app.state.draft, ...values });
    app.preview(showing(app.state, values));
    history.pushState(null, "", addressOfState(app.state));
  });
  // On the board nothing is lost by another project.
  element("[name=project]").addEventListener("change", () => {
    if (app.state.view === "board") element<HTMLFormElement>("#feature").requestSubmit();
  });
  // Another environment or form is for the undo too; another text is a patch again.
  onForm("#patch", "input", (values) => {
    const scope = values.environment === app.state.draft.environment ? app.state.scope : undefined;
    const isPatch = values.text !== app.state.draft.text && { change: "", switchTo: "" };
    app.preview(edited({ ...app.state, scope }, { ...values, ...isPatch }));
  });
  onForm(".usual", "input", () => app.update(app.state));
  onForm(".usual", "submit", (values) => {
    const source = named(app.state.preview?.stored ?? [], values.source ?? "")?.variants ?? [];
    const { value: variant } = element<HTMLSelectElement>("#variants");
    const list = afterPatch(app.state)[0]?.variants ?? [];
    const operations = usualOperations({ ...values, variant }, app.state.draft.form, list, source);
    const text = writePatch([...readPatch(app.state.draft.text), ...operations]);
    actions.edit({ text, change: "", switchTo: "" });
  });
  // The input event of a paste comes after this event.
  element("textarea").addEventListener("paste", () =>
    setTimeout(() => {
      const text = formatted(app.state.draft.text);
      if (text !== app.state.draft.text) actions.edit({ text });
    }),
  );
  addEventListener("hashchange", () => {
    const { href } = location;
    const place = readPlace(href);
    // Until a response is there, the page stays where it is.
    if (app.state.isSending) return history.replaceState(null, "", addressOfState(app.state));
    if (place.kind === "board") return openBoard(app, { ...app.state.draft, ...(place.project && place) });
    if (place.kind === "feature") return openFeature(app, place);
    // Another page may have set it: what is shown and applied stays until the user decides.
    history.replaceState(null, "", addressOfState(app.state));
    app.update({ ...app.state, link: href });
  });

  for (const type of ["scroll", "resize"]) addEventListener(type, oncePerFrame(drawRows));
}

/** More calls before the next frame do nothing. */
function oncePerFrame(run: () => void): () => void {
  let isWaiting = false;
  return () => {
    if (isWaiting) return;
    isWaiting = true;
    requestAnimationFrame(() => {
      isWaiting = false;
      run();
    });
  };
}
