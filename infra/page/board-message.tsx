/** Says why no flags are listed, where there are none, and offers a way on. */
import type { Project } from "../../lib/contract/lists.ts";
import type { BoardActions } from "./actions.ts";
import type { Board } from "./board-state.ts";
import { button, text } from "./controls.tsx";

interface Message {
  title: string;
  more?: string;
  command?: string;
  offer?: "again" | "clear";
}

/** Nothing where there are flags, or may be. */
export function messageInsteadOfTable(
  board: Board,
  project: Project | undefined,
  shown: number,
  actions: BoardActions,
) {
  const message = messageFor(board, project, shown);
  if (!message) return undefined;
  const { title, more, command, offer } = message;
  const showAll = () => {
    actions.search("");
    actions.filter("");
  };
  return (
    <section class="card message" aria-label="Flags">
      <div role={board.phase === "failed" ? "alert" : "status"}>
        <h2>{text(title)}</h2>
        {more && <p>{more}</p>}
      </div>
      {command && <code>{command}</code>}
      {offer === "again" && button("Try again", actions.reload, { class: "primary" })}
      {offer === "clear" && button("Show all flags", showAll)}
    </section>
  );
}

function messageFor(board: Board, project: Project | undefined, shown: number): Message | undefined {
  const { phase, key, projects, features, error, isRefused, search, tag } = board;
  if (key === "") {
    return { title: "Enter an API key", more: "Press Show, and every flag of the project is listed here." };
  }
  if (phase === "failed" && features.length === 0) {
    return isRefused
      ? { title: error, more: "Enter another API key, and press Show." }
      : { title: error, more: "The server may be away for a moment.", offer: "again" };
  }
  if (phase === "loading" && features.length === 0) return undefined;
  if (projects.length === 0) {
    return { title: "This API key may read no project", more: "Enter another one, and press Show." };
  }
  if (!project) {
    return { title: "Choose a project", more: "This API key may not read the one that was shown." };
  }
  if (features.length === 0) {
    return {
      title: `${project.id} has no flags yet`,
      more: "An operator creates them:",
      command: `npm run admin -- feature create NAME --project ${project.id}`,
    };
  }
  const what = [search.trim(), tag].filter(Boolean).join(" and ");
  return shown === 0 ? { title: `No flag matches ${what}.`, offer: "clear" } : undefined;
}
