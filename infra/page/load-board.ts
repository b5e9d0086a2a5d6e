/** Loads the list of the board. */
import type { FeatureWithEnvironments } from "../../lib/contract/lists.ts";
import type { App } from "./app.ts";
import { failedBoard, loadingBoard, withPage } from "./board-state.ts";
import { element } from "./controls.tsx";
import { loadFeatures, loadProjects } from "./load.ts";

/** Page by page: what is there can be read and searched meanwhile. */
export async function loadBoard(app: App): Promise<void> {
  const { key, project: wanted } = app.state.draft;
  if (key === "") return;
  app.updateBoard(loadingBoard(app.state.board, key, wanted, Date.now()));
  const { run } = app.state.board;
  const isOver = () => app.state.board.run !== run;
  const allowed = await loadProjects(key);
  if (isOver()) return;
  if (!allowed.json) return app.updateBoard(failedBoard(app.state.board, allowed));
  const { projects } = allowed.json;
  const isReadable = projects.some(({ id }) => id === wanted);
  const project = isReadable || app.state.view === "feature" ? wanted : (projects[0]?.id ?? wanted);
  // A preview is of one draft: another one, even with the same content, has none yet.
  const draft = project === wanted ? app.state.draft : { ...app.state.draft, project };
  app.update({ ...app.state, draft, board: { ...app.state.board, projects, project } });
  element<HTMLSelectElement>("[name=project]").value = project;
  const features: FeatureWithEnvironments[] = [];
  for (let after: string | undefined = ""; after !== undefined && projects.length > 0; ) {
    const page = await loadFeatures({ key, project, feature: "" }, after, features.length > 0 ? 200 : 100);
    if (isOver()) return;
    if (!page.json) return app.updateBoard(failedBoard(app.state.board, page));
    features.push(...page.json.features);
    after = page.json.next;
    app.updateBoard(withPage(app.state.board, [...features], after === undefined));
  }
  if (projects.length === 0) app.updateBoard(withPage(app.state.board, [], true));
}
