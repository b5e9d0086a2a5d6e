/** Draws the bar that says what the request would do, or what the page waits for. */
import { render } from "preact";
import type { Actions } from "./actions.ts";
import { button, element, text } from "./controls.tsx";
import type { Half } from "./kept.ts";
import type { PageState } from "./state.ts";
import { appliedAs, isPassing, outdated, summaryOf, unasked, wordsOf } from "./verdict.ts";

/** It stays in sight. A screen reader reads it once it is not busy. */
export function drawVerdict(state: PageState, half: Half | undefined, { edit }: Actions): void {
  const { draft, preview, isSending, typed, link } = state;
  const bar = element<HTMLOutputElement>("#result");
  const isHeld = !isSending && (link !== "" || typed !== undefined);
  const isBusy = !isHeld && (isSending || (draft.key !== "" && preview?.draft !== draft));
  bar.ariaBusy = String(isBusy);
  bar.className = "";
  if (isBusy) return void render(isSending ? wordsOf(draft).doing : "Previewing...", bar);
  if (isHeld) {
    bar.className = "changed";
    return void render(link ? unasked : "Press Show to see what the fields above name.", bar);
  }
  if (!preview) return void render("Enter an API key and a feature, and press Show.", bar);
  const { plan, stop, changed, ambiguities } = preview;
  const isRed = stop || plan.error || (outdated(preview) && !appliedAs(preview)) || ambiguities.some(Boolean);
  bar.className = isRed ? "failed" : changed.length > 0 ? "changed" : "";
  render(
    <>
      {text(summaryOf(preview, half))} {isPassing(plan) && button("Try again", () => edit(draft))}
    </>,
    bar,
  );
}
