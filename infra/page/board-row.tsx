/** Draws a row of the board: a feature, its tags, and what it is in each environment. */
// biome-ignore-all lint/a11y/useSemanticElements: a table of which some rows are drawn, and that is a list of blocks on phones, has roles.
// biome-ignore-all lint/a11y/useFocusableInteractive: what is in the rows is focusable.
import { Component } from "preact";
import type { FeatureWithEnvironments } from "../../lib/contract/lists.ts";
import { printable } from "../cli/printable.ts";
import type { BoardActions } from "./actions.ts";
import { sharesOf, stack, switchButton } from "./bars.tsx";
import type { Question } from "./board-state.ts";
import { coloursOf } from "./colours.ts";
import { text } from "./controls.tsx";
import { addressOf } from "./place.ts";

interface RowProps {
  feature: FeatureWithEnvironments;
  index: number;
  environments: readonly string[];
  project: string;
  tag: string;
  question: Question | undefined;
  actions: BoardActions;
}

export class Row extends Component<RowProps> {
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
                  {state.variants.length > 0 && stack(state.variants, colourOf)}
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
