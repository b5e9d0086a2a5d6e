/** Draws an environment of a feature: its switch, its strategies and its variants, and edits them. */
import { activeStrategies } from "../../../../lib/features/active-strategies.ts";
import { printable } from "../../../cli/printable.ts";
import type { App } from "../app.ts";
import type { Operation } from "../draft/patch.ts";
import { switchButton } from "../elements/bars.tsx";
import { text } from "../elements/controls.tsx";
import type { ShownEnvironment } from "../requests/shown.ts";
import { StrategyForms } from "./strategies.tsx";
import { VariantRows } from "./variant-rows.tsx";

interface EnvironmentProps {
  app: App;
  feature: string;
  before: ShownEnvironment;
  after: ShownEnvironment;
  /** Whether the draft is an undo. */
  isUndo: boolean;
  colourOf(name: string): string;
}

export const isLive = (environment: string) => /^(prod|live)/i.test(environment);

export function EnvironmentCard({ app, feature, before, after, isUndo, colourOf }: EnvironmentProps) {
  const { environment, enabled, etag } = before;
  const edit = (operations: readonly Operation[]) => app.addOperations(environment, operations, etag);
  const active = activeStrategies(Object.values(after.strategies));
  const isHidden = active.length > 0 && active.every(({ variants }) => Object.keys(variants).length > 0);
  return (
    <section
      class={`card env ${isLive(environment) ? "live" : ""} ${enabled ? "" : "off"}`}
      aria-label={printable(environment)}
    >
      <h2>
        {switchButton({
          label: `${feature} in ${environment}`,
          enabled,
          hasDraft: after.enabled !== enabled,
          press: () => app.draftSwitch(feature, environment, !enabled),
        })}
        {text(environment)} {isLive(environment) && <em>live</em>}
        {!enabled && <small>off</small>}
      </h2>
      <StrategyForms {...{ feature, before, after, isUndo, colourOf, edit }} />
      {isHidden && <small>Users do not get the variants below: every strategy has its own.</small>}
      <VariantRows
        {...{ isUndo, colourOf, edit }}
        base="/variants"
        where={environment}
        before={before.variants}
        after={after.variants}
        isSorted={true}
      />
    </section>
  );
}
