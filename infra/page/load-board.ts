/** Loads the list of the board. */
import { failedBoard, loadingBoard, type Row, withPage } from "./board-state.ts";
import { loadFeatures, loadProjects } from "./load.ts";
import type { Holder, State } from "./page-state.ts";
import { addressOf } from "./place.ts";

/** Page by page: what is there can be read and searched meanwhile. */
export async function loadBoard(app: Holder): Promise<void> {
  const { key, project: wanted } = app.state;
  if (key === "") return;
  const update = (board: State["board"]) => app.update({ ...app.state, board });
  update(loadingBoard(app.state.board, key, wanted, Date.now()));
  const { run } = app.state.board;
  const isOver = () => app.state.board.run !== run;
  const allowed = await loadProjects(key);
  if (isOver()) return;
  if (!allowed.json) return update(failedBoard(app.state.board, allowed));
  const { projects } = allowed.json;
  const isReadable = projects.some(({ id }) => id === wanted);
  const project = isReadable || app.state.feature ? wanted : (projects[0]?.id ?? wanted);
  app.update({ ...app.state, project, board: { ...app.state.board, projects, project } });
  if (!app.state.feature) history.replaceState(null, "", addressOf({ project }));
  const features: Row[] = [];
  for (let after: string | undefined = ""; after !== undefined && projects.length > 0; ) {
    const page = await loadFeatures(key, project, after, features.length > 0 ? 200 : 100);
    if (isOver()) return;
    if (!page.json) return update(failedBoard(app.state.board, page));
    features.push(...page.json.features);
    after = page.json.next;
    update(withPage(app.state.board, [...features], after === undefined));
  }
  if (projects.length === 0) update(withPage(app.state.board, [], true));
}
