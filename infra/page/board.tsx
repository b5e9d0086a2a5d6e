/** Draws the board: a row for each feature of a project, and in it what the feature is in each environment. */
// biome-ignore-all lint/a11y/useSemanticElements: a table of which some rows are drawn, and that is a list of blocks on phones, has roles.
// biome-ignore-all lint/a11y/useFocusableInteractive: what is in the rows and headers is focusable.
import { render } from "preact";
import type { FeatureWithEnvironments } from "../../lib/contract/lists.ts";
import { printable } from "../cli/printable.ts";
import type { BoardActions } from "./actions.ts";
import { messageInsteadOfTable } from "./board-message.tsx";
import { SwitchQuestion } from "./board-question.tsx";
import { Row } from "./board-row.tsx";
import { type Board, filterFeatures, rowsOf } from "./board-state.ts";
import { toolbar } from "./board-toolbar.tsx";
import { element, text } from "./controls.tsx";

/** Rows have fixed heights, so that only those in sight need to be drawn. */
function heightOf(environments: number): number {
  return isNarrow.matches ? 62 + environments * 66 : 72;
}

const isNarrow = matchMedia("(max-width: 720px)");
/** Rows above and below the window. */
const spare = 6;

export function drawBoard(board: Board, isShown: boolean, actions: BoardActions): void {
  const target = element("#board");
  target.hidden = !isShown;
  if (!isShown) return;
  const rows = filterFeatures(rowsOf(board), board.search, board.tag);
  const project = board.projects.find(({ id }) => id === board.project);
  const message = messageInsteadOfTable(board, project, rows.length, actions);
  render(
    <>
      {toolbar(board, rows.length, actions)}
      {message ?? table(board, rows, project?.environments ?? [], actions)}
    </>,
    target,
  );
}

function table(
  board: Board,
  rows: readonly FeatureWithEnvironments[],
  environments: string[],
  actions: BoardActions,
) {
  const { question, phase, features } = board;
  const height = heightOf(environments.length);
  const isWaiting = phase === "loading" && features.length === 0;
  const count = isWaiting ? 6 : rows.length;
  const top = document.querySelector(".rows")?.getBoundingClientRect().top ?? 0;
  const first = Math.max(0, Math.min(Math.floor(-top / height) - spare, count - 1));
  const last = Math.ceil((innerHeight - top) / height) + spare;
  const askedIndex = question && rows.findIndex(({ name }) => name === question.request.feature);
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
                {text(environment)}
              </span>
            ))}
          </div>
        </div>
        <div
          role="rowgroup"
          class={isWaiting ? "rows waiting" : "rows"}
          style={{ height: `${count * height}px`, paddingTop: `${isWaiting ? 0 : first * height}px` }}
        >
          {rows.slice(first, last).map((feature, index) => (
            <Row
              key={feature.name}
              feature={feature}
              index={first + index}
              environments={environments}
              project={board.project}
              tag={board.tag}
              question={question?.request.feature === feature.name ? question : undefined}
              actions={actions}
            />
          ))}
        </div>
      </div>
      {question && askedIndex !== undefined && askedIndex >= 0 && (
        <SwitchQuestion
          question={question}
          feature={rows[askedIndex]}
          top={(askedIndex + 1) * height}
          actions={actions}
        />
      )}
    </div>
  );
}
