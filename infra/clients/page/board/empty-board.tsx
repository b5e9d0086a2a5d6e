/** Draws a message in place of an empty table: why no flags are listed, and what the user can do. */
import type { Project } from "../../../../lib/contract/responses/lists.ts";
import type { App } from "../app.ts";
import { button, text } from "../elements/controls.tsx";
import type { PageState } from "../page-state.ts";
import { noFilter } from "./board-state.ts";

interface Message {
  title: string;
  more?: string;
  offer?: "again" | "clear";
}

/** Undefined where the table is drawn. `count`: how many flags there are, and `shown` how many of them the table has. */
export function messageInsteadOfTable(
  state: PageState,
  project: Project | undefined,
  { count, shown }: { count: number; shown: number },
  app: App,
) {
  const message = messageFor(state, project, count, shown);
  if (!message) return undefined;
  const { title, more, offer } = message;
  return (
    <section class="card message" aria-label="Flags">
      <div role={state.board.phase === "failed" ? "alert" : "status"}>
        <h2>{text(title)}</h2>
        {more && <p>{more}</p>}
      </div>
      {offer === "again" && button("Try again", () => app.useKey(state.key), { class: "primary" })}
      {offer === "clear" && button("Show all flags", () => app.filterBoard(noFilter))}
    </section>
  );
}

function messageFor(
  { key, board }: PageState,
  project: Project | undefined,
  count: number,
  shown: number,
): Message | undefined {
  const { phase, projects, error, isRefused, filter } = board;
  if (key === "") {
    return { title: "Enter an API key", more: "Press Show, and every flag of the project is listed here." };
  }
  if (phase === "failed" && count === 0) {
    return isRefused
      ? { title: error, more: "Enter another API key, and press Show." }
      : { title: error, more: "The server did not answer; try again in a moment.", offer: "again" };
  }
  if (phase === "loading" && count === 0) return undefined;
  if (projects.length === 0) {
    return {
      title: "There is no project that this API key can read",
      more: "Enter another API key, and press Show.",
    };
  }
  if (!project) {
    return {
      title: `There is no project ${board.project} that this API key can read`,
      more: "Choose another project, at the top.",
    };
  }
  if (count === 0) {
    return { title: `${project.id} has no flags yet`, more: "Press New flag to create the first one." };
  }
  const { search, tag, environment, state } = filter;
  const what = [search.trim(), tag, state, environment].filter(Boolean).join(" and ");
  return shown === 0 ? { title: `No flag matches ${what}.`, offer: "clear" } : undefined;
}
