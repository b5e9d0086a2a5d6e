/** Draws a row of the board: a feature, its tags, and what users get of it in each environment. */
// biome-ignore-all lint/a11y/useSemanticElements: a table of which some rows are drawn, and that is a list of blocks on phones, has roles.
// biome-ignore-all lint/a11y/useFocusableInteractive: what is in the rows is focusable.

import { Component } from "preact";
import { activeStrategies } from "../../../../lib/features/active-strategies.ts";
import { printable } from "../../../cli/printable.ts";
import { reachedPercent, sharesInWords, usersInWords } from "../../words/users-in-words.ts";
import type { App } from "../app.ts";
import { switchButton, weightBar } from "../elements/bars.tsx";
import { coloursOf } from "../elements/colours.ts";
import { text } from "../elements/controls.tsx";
import { isLive } from "../feature/environment.tsx";
import { addressOf } from "../place.ts";
import { differs, isGuarded, type RowContent, type Row as RowData } from "./board-state.ts";

interface BoardRowProps {
  app: App;
  row: RowData;
  index: number;
  height: number;
  environments: readonly string[];
  project: string;
  tag: string;
  /** The environment of the shown draft, if it is of this feature. */
  draftEnvironment: string | undefined;
  /** The number of environments in which it is guarded: smaller with time, while the row stays the same. */
  guardCount: number;
}

export class BoardRow extends Component<BoardRowProps> {
  /** Scrolling draws only the rows that come into sight. */
  override shouldComponentUpdate(after: BoardRowProps) {
    const members = [
      "row",
      "index",
      "height",
      "tag",
      "draftEnvironment",
      "environments",
      "guardCount",
    ] as const;
    return members.some((member) => after[member] !== this.props[member]);
  }

  override render() {
    const { app, row, index, height, environments, project, tag, draftEnvironment } = this.props;
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
                onClick={() => app.filterBoard({ tag: tag === value ? "" : value })}
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
                this.cell(content, colourOf, draftEnvironment === environment)
              ) : (
                <span class="names">{row.more ? "not listed; open the flag to see it" : "not here"}</span>
              )}
            </div>
          );
        })}
      </div>
    );
  }

  cell(content: RowContent, colourOf: (name: string) => string, hasDraft: boolean) {
    const { app, row } = this.props;
    const { environment, enabled, guard } = content;
    const variants = variantsOf(content);
    const shares = variants.length > 0 ? sharesInWords(variants, " · ") : "";
    const line = [usersInWords(content), shares].filter((part) => part !== "").join(" · ");
    return (
      <>
        {switchButton({
          label: `${row.name} in ${environment}`,
          enabled,
          hasDraft,
          press: () => app.draftSwitch(row.name, environment, !enabled),
        })}
        {variants.length > 0 && weightBar(variants, colourOf, rolloutOf(content))}
        <span class="names" title={printable(line)}>
          {isGuarded(content) && <em title={printable(`guarded by ${guard?.name}`)}>guarded</em>}
          {differs(content, row.environments[0]) && (
            <em title={printable(`differs from ${row.environments[0]?.environment}, apart from the switch`)}>
              differs
            </em>
          )}{" "}
          {text(line)}
        </span>
      </>
    );
  }
}

/**
 * Returns the variants whose weights users get: those of the first active strategy, or those of the environment if it has none.
 * Where flagd's own logic alone decides, weights mean nothing.
 */
function variantsOf({ variants, strategies = [], hasTargeting }: RowContent) {
  if (hasTargeting && strategies.length === 0) return [];
  const { variants: own = [] } = activeStrategies(strategies)[0] ?? {};
  return own.length > 0 ? own : variants;
}

/** Returns the share of users who get the feature if its only active strategy is a rollout, otherwise 1. */
function rolloutOf({ strategies = [] }: RowContent): number {
  const [first, ...others] = activeStrategies(strategies);
  const isRollout = first?.name === "flexibleRollout" && others.length === 0;
  return isRollout ? reachedPercent(first.parameters.rollout) / 100 : 1;
}
