/** Draws a row of the board: a feature, its tags, and for whom it is what in each environment. */
// biome-ignore-all lint/a11y/useSemanticElements: a table of which some rows are drawn, and that is a list of blocks on phones, has roles.
// biome-ignore-all lint/a11y/useFocusableInteractive: what is in the rows is focusable.
import { Component } from "preact";
import { printable } from "../cli/printable.ts";
import type { App } from "./app.ts";
import { audienceOf } from "./audience.ts";
import { sharesOf, stack, switchButton } from "./bars.tsx";
import { differs, isGuarded, type Row as Listed, type RowContent } from "./board-state.ts";
import { coloursOf } from "./colours.ts";
import { text } from "./controls.tsx";
import { isLive } from "./environment.tsx";
import { addressOf } from "./place.ts";

interface RowProps {
  app: App;
  row: Listed;
  index: number;
  height: number;
  environments: readonly string[];
  project: string;
  tag: string;
  /** The environment of the question about it, if there is one. */
  asked: string | undefined;
}

export class Row extends Component<RowProps> {
  /** Scrolling draws the rows that come into sight, and no other. */
  override shouldComponentUpdate(after: RowProps) {
    const members = ["row", "index", "height", "tag", "asked", "environments"] as const;
    return members.some((member) => after[member] !== this.props[member]);
  }

  override render() {
    const { app, row, index, height, environments, project, tag, asked } = this.props;
    const { name, tags } = row;
    const colourOf = coloursOf(
      row.environments.flatMap((each) => variantsOf(each).map((variant) => variant.name)),
    );
    return (
      <div role="row" aria-rowindex={index + 2} style={{ top: `${index * height}px` }}>
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
                onClick={() => filterBy(app, tag === value ? "" : value)}
              >
                {text(value)}
              </button>
            ))}
          </span>
        </div>
        {environments.map((environment) => {
          const content = row.environments.find((each) => each.environment === environment);
          return (
            <div role="cell" key={environment} class={content?.enabled ? "" : "off"}>
              <small class="where">
                {text(environment)} {isLive(environment) && <em class="mark">live</em>}
              </small>
              {content ? (
                this.cell(content, colourOf, asked === environment)
              ) : (
                <span class="names">not here</span>
              )}
            </div>
          );
        })}
      </div>
    );
  }

  cell(content: RowContent, colourOf: (name: string) => string, isAsked: boolean) {
    const { app, row } = this.props;
    const { environment, enabled, guard } = content;
    const variants = variantsOf(content);
    const shares = variants.length > 0 ? sharesOf(variants) : "";
    const line = [audienceOf(content), shares].filter((part) => part !== "").join(" · ");
    return (
      <>
        {switchButton({
          label: `${row.name} in ${environment}`,
          enabled,
          isAsked,
          press: () => app.switchTo(row.name, environment, !enabled),
        })}
        {variants.length > 0 && stack(variants, colourOf)}
        <span class="names" title={printable(line)}>
          {isGuarded(content) && <em title={printable(`guarded by ${guard?.name}`)}>guarded</em>}
          {differs(content, row.environments[0]) && <em>differs</em>} {text(line)}
        </span>
      </>
    );
  }
}

/** Those that users get: a strategy's own in place of the environment's. */
function variantsOf({ variants, strategies = [] }: RowContent) {
  const { variants: own = [] } = strategies.find(({ disabled }) => !disabled) ?? {};
  return own.length > 0 ? own : variants;
}

export function filterBy(app: App, tag: string): void {
  const { board } = app.state;
  app.update({ ...app.state, board: { ...board, filter: { ...board.filter, tag } } });
  scrollTo(0, 0);
}
