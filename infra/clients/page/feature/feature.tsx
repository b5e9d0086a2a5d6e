/** Draws a feature: its name and tags, its environments, its draft as JSON, and its newest changes. */
import { printable } from "../../../cli/printable.ts";
import type { App } from "../app.ts";
import { Confirmation, variantNames } from "../draft/confirmation.tsx";
import { coloursOf } from "../elements/colours.ts";
import { button, Opening, text } from "../elements/controls.tsx";
import { contentsAfter, type PageState, shownDraft } from "../page-state.ts";
import type { ShownFeature } from "../requests/shown.ts";
import { DeleteFeature } from "./deletion.tsx";
import { EnvironmentCard } from "./environment.tsx";
import { ChangeList } from "./history.tsx";
import { PatchText } from "./patch-text.tsx";
import { Promotion } from "./promotion.tsx";

export function FeatureView({ app, state }: { app: App; state: PageState }) {
  const { shownFeature, feature, key } = state;
  if (!shownFeature || shownFeature.name !== feature) {
    return (
      <main id="feature" class="loading" tabIndex={-1}>
        <h1>{text(feature)}</h1>
        <p>{key ? "Loading..." : "Enter an API key to see it."}</p>
        <Confirmation {...{ app, state }} />
      </main>
    );
  }
  const after = contentsAfter(state);
  const isUndo = Boolean(shownDraft(state)?.undo);
  const colourOf = coloursOf([...shownFeature.environments, ...after].flatMap(variantNames));
  return (
    <main id="feature" tabIndex={-1}>
      <Title {...{ shownFeature, app }} />
      {shownFeature.error && (
        <p class="failed" role="alert">
          {text(shownFeature.error)}{" "}
          {shownFeature.readAt > 0 &&
            `This shows the flag as read at ${new Date(shownFeature.readAt).toLocaleTimeString("en")}.`}{" "}
          {button("Try again", () => app.refresh())}
        </p>
      )}
      <div class="envs">
        {shownFeature.environments.map((before, index) => (
          <EnvironmentCard
            key={before.environment}
            {...{ app, feature, before, isUndo, colourOf }}
            after={after[index] ?? before}
          />
        ))}
      </div>
      {shownFeature.environments.length > 0 && <PatchText {...{ app, state, shownFeature }} />}
      {shownFeature.readAt > 0 && <ChangeList {...{ shownFeature, app }} />}
      {shownFeature.readAt > 0 && <DeleteFeature {...{ shownFeature, app }} />}
      <Confirmation {...{ app, state }} />
    </main>
  );
}

function Title({ shownFeature, app }: { shownFeature: ShownFeature; app: App }) {
  const { name, tags, environments } = shownFeature;
  return (
    <header class="title">
      <h1>{text(name)}</h1>
      <span class="tags">
        {tags.map(({ type, value }) => (
          <span class="tag" key={`${type} ${value}`} title={printable(`${type}: ${value}`)}>
            {text(value)}
          </span>
        ))}
      </span>
      <span class="line end">
        {environments.length > 1 && (
          <Opening name="Promote" class="">
            {(close) => <Promotion {...{ shownFeature, app, close }} />}
          </Opening>
        )}
        {environments.length > 1 &&
          [true, false].map(
            (to) =>
              environments.some(({ enabled }) => enabled !== to) &&
              button(`Switch ${to ? "on" : "off"} everywhere`, () => app.draftSwitch(name, "", to), {
                key: String(to),
              }),
          )}
      </span>
    </header>
  );
}
