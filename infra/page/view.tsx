/** Draws the verdict, the notices, the operations of the patch and the environments. */
import { render } from "preact";
import type { Preview } from "./api.ts";
import { changeList } from "./changes.tsx";
import { type Actions, button, element, text } from "./controls.tsx";
import { environments } from "./environments.tsx";
import { featureOf, type Half, halfOf, halves, isSame } from "./kept.ts";
import { changedMeanwhile, halfDone, notice, proposal } from "./notices.tsx";
import { patchControls } from "./patch-controls.tsx";
import type { PatchRequest } from "./request.ts";
import { changedSince, isPassing, missing, obstacleTo, outdated, summaryOf, wordsOf } from "./verdict.ts";

interface State {
  draft: PatchRequest;
  /** The last preview: of the draft, or of one before it. */
  preview: Preview | undefined;
  result: { title: string; error: string } | undefined;
  known: Preview["stored"];
  earlier: PatchRequest | undefined;
  again: string;
  /** Whether a request that is to write is under way. */
  isSending: boolean;
}

const unseen = "Look first at what has changed.";

export function drawPage(state: State, actions: Actions): void {
  const { draft, preview, result, known, earlier, again, isSending } = state;
  const half = halfOf(draft);
  const elsewhere = halves.findLast((other) => featureOf(other.request) !== featureOf(draft));
  const loaded = preview?.draft === draft ? preview : undefined;
  const error = preview?.plan.error ?? "";
  const changes = changedSince(known, preview?.stored ?? known);
  const isSeen = changes.length === 0;
  const obstacleOr = (other: string) => (isSending ? wordsOf(draft).doing : isSeen ? other : unseen);
  render(
    <>
      {result && notice(result.title, result.error === error ? "" : result.error)}
      {preview && !isSeen && changedMeanwhile(changes, preview, actions.see)}
      {draft.proposed && !(half && isSame(half, draft)) && proposal(draft, loaded)}
      {half &&
        halfDone(
          // The error is shown once.
          { ...half, cause: half.cause === error ? "" : half.cause },
          isSame(half, draft) ? loaded : undefined,
          obstacleOr(obstacleTo(half, draft, loaded)),
          actions,
        )}
      {elsewhere &&
        button(`Show the half-done patch of ${elsewhere.request.feature}`, () =>
          actions.edit(elsewhere.request),
        )}
    </>,
    element("#notices"),
  );
  drawVerdict(state, half, actions);
  if (!preview) return;
  const { draft: request, stored } = preview;
  const isHalf = half !== undefined && isSame(half, request);
  const obstacle = obstacleOr(outdated(preview) || missing(preview));
  const plan = isHalf ? without(preview.plan, half.cause) : preview.plan;
  element("textarea").ariaInvalid = String(error !== "");
  render(
    <>
      {earlier &&
        ["[]", again].includes(draft.text) &&
        button(`Bring back the patch of ${earlier.feature}`, () =>
          actions.edit({ text: earlier.text, form: earlier.form, environment: earlier.environment }),
        )}
      {patchControls({ ...preview, plan }, draft, actions, isHalf ? undefined : obstacle)}
    </>,
    element("#plan"),
  );
  render(
    <>
      <h2>{text(request.feature)}</h2>
      {environments(stored, plan.environments, request)}
      {changeList(preview, actions)}
    </>,
    element("#preview"),
  );
}

/** The bar that stays in sight. A screen reader reads it once it is not busy. */
function drawVerdict({ draft, preview, isSending }: State, half: Half | undefined, { edit }: Actions): void {
  const bar = element<HTMLOutputElement>("#result");
  const isBusy = isSending || (draft.key !== "" && preview?.draft !== draft);
  bar.ariaBusy = String(isBusy);
  bar.className = "";
  if (isBusy) return void render(isSending ? wordsOf(draft).doing : "Previewing...", bar);
  if (!preview) return void render("Enter an API key and a feature, and press Show.", bar);
  const { plan, stop, changed, ambiguities } = preview;
  const isRed = stop || plan.error || outdated(preview) || ambiguities.some(Boolean);
  bar.className = isRed ? "failed" : changed.length > 0 ? "changed" : "";
  render(
    <>
      {text(summaryOf(preview, half))} {isPassing(plan) && button("Try again", () => edit(draft))}
    </>,
    bar,
  );
}

/** Leaves out the message that the notice of the half-done patch shows. */
function without(plan: Preview["plan"], cause: string): Preview["plan"] {
  const environments = plan.environments.map(({ message = "", ...others }) =>
    message === "" || cause.endsWith(message) ? others : { ...others, message },
  );
  return { ...plan, environments };
}
