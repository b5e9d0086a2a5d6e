/** Loads the projects of the API key, and the features of the shown one. */
import type { PageState, StateHolder } from "../page-state.ts";
import { addressOf, readPlace } from "../place.ts";
import { loadFeatures, loadProjects } from "../requests/load.ts";
import { failedBoard, loadingBoard, type Row, withPage } from "./board-state.ts";

/** Draws each page of features as it comes, so that the user can search them before the last one. */
export async function loadBoard(app: StateHolder): Promise<void> {
  const { key, project: wanted } = app.state;
  if (key === "") return;
  const update = (board: PageState["board"]) => app.update({ ...app.state, board });
  update(loadingBoard(app.state.board, key, wanted, Date.now()));
  const { loadCount } = app.state.board;
  const isReplaced = () => app.state.board.loadCount !== loadCount;
  const readable = await loadProjects(key);
  if (isReplaced()) return;
  if (readable.kind !== "loaded") return update(failedBoard(app.state.board, readable));
  const { projects } = readable.body;
  // A project that the address names is not replaced by another one without a word.
  const place = readPlace(location.href);
  const isKept = app.state.feature || (place.kind === "board" && place.project === wanted);
  const isReadable = projects.some(({ id }) => id === wanted);
  const project = isKept || isReadable ? wanted : (projects[0]?.id ?? wanted);
  app.update({ ...app.state, project, board: { ...app.state.board, projects, project } });
  if (!app.state.feature) history.replaceState(null, "", addressOf({ project }));
  const features: Row[] = [];
  if (!projects.some(({ id }) => id === project)) return update(withPage(app.state.board, [], true));
  for (let after: string | undefined = ""; after !== undefined; ) {
    const limit = features.length > 0 ? 200 : 100;
    const page = await loadFeatures(key, project, after, limit);
    if (isReplaced()) return;
    if (page.kind !== "loaded") return update(failedBoard(app.state.board, page));
    features.push(...page.body.features);
    after = page.body.next;
    update(withPage(app.state.board, [...features], after === undefined));
  }
}
