/** Draws what is above the board: the search, the filters, the count of flags, and forms for a new and a deleted flag. */
import type { App } from "../app.ts";
import { button, Choice, Opening, text } from "../elements/controls.tsx";
import { NameForm } from "../feature/deletion.tsx";
import { listOf } from "../words/format.ts";
import { type Board, type Filter, outdatedNames } from "./board-state.ts";

interface ToolbarProps {
  app: App;
  board: Board;
  environments: readonly string[];
  /** How many flags there are, and how many of them the table shows. */
  count: number;
  shown: number;
}

const states = { "": "on or off", on: "on", off: "off", differs: "differs", guarded: "guarded" };

export function Toolbar({ app, board, environments, count, shown }: ToolbarProps) {
  const { phase, error } = board;
  const { project, key: apiKey } = app.state;
  const all = `${count.toLocaleString("en")} ${count === 1 ? "flag" : "flags"}`;
  const countOfShown = shown === count ? all : `${shown.toLocaleString("en")} of ${all}`;
  const loading = phase === "loading" ? (count === 0 ? "Loading..." : ", loading more...") : "";
  const counted = (count === 0 ? "" : countOfShown) + loading;
  const outdated = outdatedNames(board);
  return (
    <div class="toolbar">
      <Filters {...{ app, board, environments }} />
      <output class="count">
        {/* A new element for each text, so that a longer text does not count as a shift of the layout. */}
        <span key={counted}>{counted}</span>
      </output>
      <Opening name="New flag" class="" isDisabled={board.projects.length === 0}>
        {(close) => (
          <NameForm
            {...{ project, apiKey, close }}
            label="Name of the new flag"
            action="Create"
            send={(place, idempotencyKey) => app.createFeature(place, idempotencyKey)}
          />
        )}
      </Opening>
      <Opening name="Restore a flag" class="" isDisabled={board.projects.length === 0}>
        {(close) => (
          <NameForm
            {...{ project, apiKey, close }}
            label="Name of the deleted flag"
            action="Restore"
            send={(place, idempotencyKey) => app.restoreFeature(place, idempotencyKey)}
          />
        )}
      </Opening>
      {phase === "failed" && count > 0 && (
        <p class="failed" role="alert">
          {text(error)} {button("Try again", () => app.useKey(app.state.key))}
        </p>
      )}
      {outdated.length > 0 && (
        <small>
          {text(
            `${listOf(outdated)} ${outdated.length === 1 ? "shows" : "show"} your change; the rest of the list may be a few seconds old.`,
          )}
        </small>
      )}
    </div>
  );
}

function Filters({ app, board, environments }: Pick<ToolbarProps, "app" | "board" | "environments">) {
  const { features, filter } = board;
  const tags = [...new Set(features.flatMap((row) => row.tags.map(({ value }) => value)))].sort();
  const choicesOf = (first: string, names: readonly string[]) =>
    Object.fromEntries([["", first], ...names.map((name) => [name, name])]);
  return (
    <>
      <input
        type="search"
        id="search"
        aria-label="Search names and tags"
        placeholder="Search names and tags"
        value={filter.search}
        onInput={({ currentTarget }) => app.filterBoard({ search: currentTarget.value })}
      />
      <Choice
        label="State"
        value={filter.state}
        choices={states}
        choose={(state) => app.filterBoard({ state: state as Filter["state"] })}
      />
      <Choice
        label="Environment"
        value={filter.environment}
        choices={choicesOf("anywhere", environments)}
        choose={(environment) => app.filterBoard({ environment })}
      />
      <Choice
        label="Tag"
        value={filter.tag}
        choices={choicesOf("any tag", filter.tag ? [...tags, filter.tag] : tags)}
        choose={(tag) => app.filterBoard({ tag })}
      />
    </>
  );
}
