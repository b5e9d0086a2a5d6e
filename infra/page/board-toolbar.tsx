/** Draws what is above the board: the search, the tag that filters, and how many flags there are. */
import { printable } from "../cli/printable.ts";
import type { BoardActions } from "./actions.ts";
import { type Board, namesBehind } from "./board-state.ts";
import { button, text } from "./controls.tsx";

export function toolbar(board: Board, shown: number, { search, filter, reload }: BoardActions) {
  const { features, phase, error, tag } = board;
  const count = features.length;
  const all = `${count.toLocaleString("en")} ${count === 1 ? "flag" : "flags"}`;
  const shownOf = shown === count ? all : `${shown.toLocaleString("en")} of ${all}`;
  const loading = phase === "loading" ? (count === 0 ? "Loading..." : ", loading more...") : "";
  const counted = (count === 0 ? "" : shownOf) + loading;
  const older = namesBehind(board);
  return (
    <div class="toolbar">
      <input
        type="search"
        id="search"
        aria-label="Search names and tags"
        placeholder="Search names and tags"
        value={board.search}
        onInput={({ currentTarget }) => search(currentTarget.value)}
      />
      {tag &&
        button(`${tag} ✕`, () => filter(""), {
          class: "tag",
          "aria-label": printable(`All tags, not only ${tag}`),
        })}
      <output class="count">
        {/* A text of its own each time: a longer one moves none that was read. */}
        <span key={counted}>{counted}</span>
      </output>
      {phase === "failed" && count > 0 && (
        <p class="failed" role="alert">
          {text(error)} {button("Try again", reload)}
        </p>
      )}
      {older.length > 0 && (
        <small>{text(`The list is a moment behind: ${older.join(", ")} is shown as you changed it.`)}</small>
      )}
    </div>
  );
}
