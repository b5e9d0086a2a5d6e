/** Draws the board: the flags of a project, with what users get in each environment, and their switches. */
// biome-ignore-all lint/a11y/useSemanticElements: a table of which some rows are drawn, and that is a list of blocks on phones, has roles.
// biome-ignore-all lint/a11y/useFocusableInteractive: what is in the rows and headers is focusable.
import { printable } from "../../../cli/printable.ts";
import type { App } from "../app.ts";
import { Confirmation } from "../draft/confirmation.tsx";
import { text } from "../elements/controls.tsx";
import { isLive } from "../feature/environment.tsx";
import { type PageState, shownDraft } from "../page-state.ts";
import { filterRows, isGuarded, type Row as RowData, rowsOf } from "./board-state.ts";
import { messageInsteadOfTable } from "./empty-board.tsx";
import { BoardRow } from "./row.tsx";
import { Toolbar } from "./toolbar.tsx";

/** Rows have fixed heights, so that only those in sight need to be drawn. */
function heightOf(environments: number): number {
  return isNarrow.matches ? 62 + environments * 72 : 72;
}

const isNarrow = matchMedia("(max-width: 720px)");
/** The rows that are drawn above and below the window. */
const spareRows = 6;

export function BoardView({ app, state }: { app: App; state: PageState }) {
  const { board } = state;
  const all = rowsOf(board);
  // The row stays although the filter, or its own change, would hide it: the confirmation is below the row.
  const confirmed = (shownDraft(state) ?? state.result?.draft)?.feature;
  const rows = filterRows(all, board.filter, confirmed);
  const project = board.projects.find(({ id }) => id === board.project);
  const message = messageInsteadOfTable(state, project, { count: all.length, shown: rows.length }, app);
  const environments = project?.environments ?? [];
  return (
    <main id="board" tabIndex={-1}>
      <h1 class="unseen">{text(`Flags of ${board.project || state.project}`)}</h1>
      <Toolbar {...{ app, board, environments }} count={all.length} shown={rows.length} />
      {message ?? <FlagTable {...{ app, state, rows, environments }} />}
    </main>
  );
}

interface TableProps {
  app: App;
  state: PageState;
  rows: readonly RowData[];
  environments: readonly string[];
}

function FlagTable({ app, state, rows, environments }: TableProps) {
  const { board, result } = state;
  const draft = shownDraft(state) ?? result?.draft;
  const height = heightOf(environments.length);
  const isWaiting = board.phase === "loading" && board.features.length === 0;
  const count = isWaiting ? 6 : rows.length;
  const body = document.querySelector(".rows");
  const top = body?.getBoundingClientRect().top ?? 0;
  const first = Math.max(0, Math.min(Math.floor(-top / height) - spareRows, count - 1));
  const last = Math.ceil((innerHeight - top) / height) + spareRows;
  // A row that has the focus stays in the document when it is scrolled out of sight.
  const focused = Number(document.activeElement?.closest("[aria-rowindex]")?.ariaRowIndex ?? 0) - 2;
  const rowOfDraft = draft ? rows.findIndex(({ name }) => name === draft.feature) : -1;
  const isDrawn = (index: number) => (index >= first && index < last) || index === focused;
  return (
    <div class="flags" style={{ "--columns": environments.length, "--row": `${height}px` }}>
      <div
        class="table card"
        role="table"
        aria-label={printable(`Flags of ${board.project}`)}
        aria-rowcount={rows.length + 1}
        aria-busy={isWaiting}
      >
        <div role="rowgroup" class="head">
          <div role="row" aria-rowindex={1}>
            <span role="columnheader">Flag</span>
            {environments.map((environment) => (
              <span role="columnheader" key={environment}>
                {text(environment)} {isLive(environment) && <em class="mark">live</em>}
              </span>
            ))}
          </div>
        </div>
        <div
          role="rowgroup"
          class={isWaiting ? "rows waiting" : "rows"}
          style={{ height: `${count * height}px` }}
        >
          {rows.map(
            (row, index) =>
              isDrawn(index) && (
                <BoardRow
                  key={row.name}
                  {...{ app, row, index, environments, height }}
                  project={board.project}
                  tag={board.filter.tag}
                  draftEnvironment={index === rowOfDraft ? draft?.environment : undefined}
                  guardCount={row.environments.filter(isGuarded).length}
                />
              ),
          )}
        </div>
      </div>
      {rowOfDraft >= 0 && <Confirmation {...{ app, state }} top={(rowOfDraft + 1) * height} />}
    </div>
  );
}
