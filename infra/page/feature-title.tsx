/** Draws the name of a feature, its tags, and the buttons that switch it in every environment. */
import { printable } from "../cli/printable.ts";
import type { Actions } from "./actions.ts";
import { button, text } from "./controls.tsx";
import type { Preview } from "./preview.ts";

export function featureTitle({ draft, tags, stored }: Preview, actions: Actions) {
  return (
    <header class="title">
      <h2>{text(draft.feature)}</h2>
      <span class="tags">
        {tags.map(({ type, value }) => (
          <span class="tag" key={`${type} ${value}`} title={printable(`${type}: ${value}`)}>
            {text(value)}
          </span>
        ))}
      </span>
      {stored.length > 1 && switchAll(stored, actions)}
    </header>
  );
}

/** One or both, by what there is to switch. */
function switchAll(stored: Preview["stored"], { switchTo }: Actions) {
  return ["on", "off"].map((to) => {
    const isSo = stored.every(({ enabled }) => enabled === (to === "on"));
    const label = `Switch ${to} everywhere`;
    return button(label, () => switchTo(to, ""), { key: to, disabled: isSo });
  });
}
