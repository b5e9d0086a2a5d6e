/** Draws the board: a row for each feature of a project, and in it what the feature is in each environment. */
// biome-ignore-all lint/a11y/useSemanticElements: a table of which some rows are drawn, and that is a list of blocks on phones, has roles.
// biome-ignore-all lint/a11y/useFocusableInteractive: what is in the rows and headers is focusable.
import { Component, render } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { FeatureWithEnvironments, Project } from "../../lib/contract/lists.ts";
import { printable } from "../cli/printable.ts";
import { sharesOf, stack, switchButton } from "./bars.tsx";
import { type Board, behind, matching, type Question, rowsOf } from "./board-state.ts";
import { coloursOf } from "./colours.ts";
import { button, element, text } from "./controls.tsx";
import { addressOf } from "./place.ts";
import { missing } from "./verdict.ts";

export interface BoardActions {
  search(search: string): void;
  filter(tag: string): void;
  press(feature: FeatureWithEnvironments, environment: string, enabled: boolean): Promise<void>;
  cancel(): void;
  confirm(question: Question): Promise<void>;
  undoSwitch(question: Question): Promise<void>;
  reload(): void;
}

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
  const rows = matching(rowsOf(board), board.search, board.tag);
  const project = board.projects.find(({ id }) => id === board.project);
  const words = wordsFor(board, project, rows.length);
  render(
    <>
      {toolbar(board, rows.length, actions)}
      {words ? (
        <section class="card words" aria-label="Flags">
          <p role={board.phase === "failed" ? "alert" : "status"}>{text(words.why)}</p>
          {words.wayOn === "again" && button("Try again", actions.reload, { class: "primary" })}
          {words.wayOn === "clear" &&
            button("Show all flags", () => {
              actions.search("");
              actions.filter("");
            })}
        </section>
      ) : (
        table(board, rows, project?.environments ?? [], actions)
      )}
    </>,
    target,
  );
}

/** What stands in the place of the table, and the way on. */
function wordsFor(board: Board, project: Project | undefined, shown: number) {
  const { phase, key, projects, features, error, search, tag } = board;
  if (key === "")
    return { why: "Enter an API key and press Show: every flag of the project is listed here." };
  if (phase === "failed" && features.length === 0) return { why: error, wayOn: "again" };
  if (phase === "loading" && features.length === 0) return undefined;
  if (projects.length === 0) return { why: "This API key may read no project. Enter another one." };
  if (!project) return { why: "Choose a project: this key may not read the one that was shown." };
  if (features.length === 0) {
    return {
      why: `${project.id} has no flags yet. An operator creates them: npm run admin -- feature create`,
    };
  }
  const what = [search.trim(), tag].filter(Boolean).join(" and ");
  return shown === 0 ? { why: `No flag matches ${what}.`, wayOn: "clear" } : undefined;
}

function toolbar(board: Board, shown: number, { search, filter, reload }: BoardActions) {
  const { features, phase, error, tag } = board;
  const count = features.length;
  const all = `${count.toLocaleString("en")} ${count === 1 ? "flag" : "flags"}`;
  const older = behind(board);
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
        {board.key !== "" && (shown === count ? all : `${shown.toLocaleString("en")} of ${all}`)}
        {phase === "loading" && (count === 0 ? " Loading..." : ", loading more...")}
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
  const asked = question && rows.findIndex(({ name }) => name === question.request.feature);
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
      {question && asked !== undefined && asked >= 0 && (
        <Ask question={question} feature={rows[asked]} top={(asked + 1) * height} actions={actions} />
      )}
    </div>
  );
}

interface RowProps {
  feature: FeatureWithEnvironments;
  index: number;
  environments: readonly string[];
  project: string;
  tag: string;
  question: Question | undefined;
  actions: BoardActions;
}

class Row extends Component<RowProps> {
  /** Scrolling draws the rows that come into sight, and no other. */
  override shouldComponentUpdate({ feature, index, tag, question, environments }: RowProps) {
    const now = this.props;
    return (
      feature !== now.feature ||
      index !== now.index ||
      tag !== now.tag ||
      question !== now.question ||
      environments !== now.environments
    );
  }

  override render() {
    const { feature, index, environments, project, tag, question, actions } = this.props;
    const { name, tags } = feature;
    const colourOf = coloursOf(
      feature.environments.flatMap(({ variants }) => variants.map((each) => each.name)),
    );
    const [first] = feature.environments;
    return (
      <div role="row" aria-rowindex={index + 2}>
        <div role="rowheader">
          <a class="name" href={addressOf({ project, feature: name })}>
            {text(name)}
          </a>
          <span class="tags">
            {tags.map(({ type, value }) => (
              <button
                type="button"
                class="tag"
                key={`${type} ${value}`}
                aria-pressed={tag === value}
                title={printable(`${type}: ${value}`)}
                onClick={() => actions.filter(tag === value ? "" : value)}
              >
                {text(value)}
              </button>
            ))}
          </span>
        </div>
        {environments.map((environment) => {
          const state = feature.environments.find((each) => each.environment === environment);
          return (
            <div role="cell" key={environment} class={state?.enabled ? "" : "off"}>
              <small class="where">{text(environment)}</small>
              {state ? (
                <>
                  {switchButton({
                    label: `${name} in ${environment}`,
                    enabled: state.enabled,
                    isAsked: question?.request.environment === environment,
                    press: () => actions.press(feature, environment, !state.enabled),
                  })}
                  {state.variants.length > 0 ? stack(state.variants, colourOf) : <span class="stack" />}
                  <span class="names" title={printable(sharesOf(state.variants))}>
                    {differs(state, first) && <em>differs</em>}{" "}
                    {text(state.variants.length > 0 ? sharesOf(state.variants) : "no variants")}
                  </span>
                </>
              ) : (
                <span class="names">not here</span>
              )}
            </div>
          );
        })}
      </div>
    );
  }
}

type Content = FeatureWithEnvironments["environments"][number];

/** Only in its variants: whether it is on is to be seen anyway. */
function differs(state: Content, first: Content | undefined): boolean {
  return first !== undefined && JSON.stringify(state.variants) !== JSON.stringify(first.variants);
}

interface AskProps {
  question: Question;
  feature: FeatureWithEnvironments | undefined;
  top: number;
  actions: BoardActions;
}

/** Asks beside the switch that was pressed, and says there what came of it. */
function Ask({ question, feature, top, actions }: AskProps) {
  const { request, phase, plan, error, change } = question;
  const { environment, switchTo } = request;
  const box = useRef<HTMLElement>(null);
  // The user presses again, or Escape; the focus says which question it is.
  useEffect(() => box.current?.focus(), [request.idempotencyKey, phase]);
  const lacking = plan ? missing(plan) : "";
  const others = feature?.environments.filter((each) => each.environment !== environment) ?? [];
  const isOver = phase === "done" || phase === "undone" || phase === "already";
  return (
    <section
      class={phase === "failed" ? "ask failed" : isOver ? "ask patched" : "ask"}
      ref={box}
      tabIndex={-1}
      aria-label={printable(`Switch ${switchTo} ${request.feature} in ${environment}`)}
      aria-busy={phase === "previewing" || phase === "sending"}
      style={{ "--top": `${top}px` }}
      onKeyDown={({ key }) => key === "Escape" && phase !== "sending" && actions.cancel()}
    >
      <p role={phase === "failed" ? "alert" : "status"}>
        <strong>{text(request.feature)}</strong> {verbs[phase](switchTo)} <strong>{text(environment)}</strong>
        {phase === "already" && " already"}. {phase === "failed" && text(error)}
        {phase === "asking" && (
          <>
            {switchTo === "on" ? "SDKs see it" : "SDKs stop seeing it"} within 5 seconds, plus their polling
            interval. {text(staying(others))} {text(lacking)}
          </>
        )}
        {phase === "done" && question.hint && text(question.hint)}
      </p>
      <p>
        {phase === "done" && change && button(`Undo in ${environment}`, () => actions.undoSwitch(question))}
        {button(isOver || phase === "failed" ? "Close" : "Cancel", actions.cancel, {
          disabled: phase === "sending",
        })}
        {!isOver &&
          button(phase === "failed" ? "Try again" : `Switch ${switchTo}`, () => actions.confirm(question), {
            class: "primary",
            disabled: phase === "previewing" || phase === "sending" || lacking !== "",
          })}
      </p>
    </section>
  );
}

const verbs: Readonly<Record<Question["phase"], (to: string) => string>> = {
  previewing: (to) => `goes ${to} in`,
  asking: (to) => `goes ${to} in`,
  already: (to) => `is ${to} in`,
  sending: (to) => `is going ${to} in`,
  done: (to) => `is ${to} in`,
  undone: (to) => `is ${to === "on" ? "off" : "on"} again in`,
  failed: (to) => `could not be switched ${to} in`,
};

/** "development and staging stay on." */
function staying(others: readonly Content[]): string {
  const sentences = [true, false].flatMap((isOn) => {
    const names = others.filter(({ enabled }) => enabled === isOn).map(({ environment }) => environment);
    if (names.length === 0) return [];
    const list = new Intl.ListFormat("en").format(names);
    return `${list} ${names.length === 1 ? "stays" : "stay"} ${isOn ? "on" : "off"}.`;
  });
  return sentences.join(" ");
}
