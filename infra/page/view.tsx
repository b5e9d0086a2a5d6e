/** Draws the verdict, the notices, the operations of the patch and the environments. */
import { render } from "preact";
import { printable } from "../cli/printable.ts";
import type { Actions } from "./actions.ts";
import { changeList } from "./changes.tsx";
import { foldedNames } from "./columns.ts";
import { button, element, text } from "./controls.tsx";
import { environments } from "./environments.tsx";
import { featureTitle } from "./feature-title.tsx";
import { featureOf, type Half, halfOf, isHalfOf } from "./kept.ts";
import { anotherLink, changedMeanwhile, halfDone, notice, proposal } from "./notices.tsx";
import { patchControls } from "./patch-controls.tsx";
import { addressOf } from "./place.ts";
import type { Preview } from "./preview.ts";
import type { PageState } from "./state.ts";
import { changedSince, missing, obstacleTo, outdated, unasked, wordsOf } from "./verdict.ts";
import { drawVerdict } from "./verdict-bar.tsx";

const unseen = "Look first at what has changed.";
const unshown = "Press Show: the fields above name something else than what is shown.";

export function drawPage(state: PageState, actions: Actions): void {
  const isBoard = state.view === "board";
  const { project, feature } = state.draft;
  document.body.dataset.view = state.view;
  document.title = `Burgee: ${isBoard ? `flags of ${printable(project)}` : printable(feature)}`;
  element("#editing").hidden = isBoard;
  element("#result").hidden = isBoard;
  element<HTMLInputElement>("[name=feature]").disabled = isBoard;
  for (const link of document.querySelectorAll<HTMLAnchorElement>(".home"))
    link.href = addressOf({ project });
  if (isBoard) drawNoticesOfBoard(state, actions);
  else drawFeature(state, actions);
}

/** What was begun elsewhere: nothing of it belongs to the board. */
function drawNoticesOfBoard({ halves, link, result }: PageState, actions: Actions): void {
  render(
    <>
      {link && anotherLink(link, actions)}
      {result && notice(result, false, [], actions)}
      {halves.map((half) => toHalf(half, actions))}
    </>,
    element("#notices"),
  );
}

function toHalf(half: Half, { showHalf }: Actions) {
  const { request } = half;
  const label = `Show the half-done ${wordsOf(request).name} of ${request.feature}`;
  return button(label, () => showHalf(half), { key: request.idempotencyKey });
}

function drawFeature(state: PageState, actions: Actions): void {
  const { draft, preview, result, halves, seen, setAside, filledIn, isSending, link, typed } = state;
  const half = halfOf(halves, draft);
  const all = preview?.stored.map(({ environment }) => environment) ?? [];
  const elsewhere = halves.findLast((other) => featureOf(other.request) !== featureOf(draft));
  const loaded = preview?.draft === draft ? preview : undefined;
  const error = preview?.plan.error ?? "";
  const changes = changedSince(seen, preview?.stored ?? seen);
  const isSeen = changes.length === 0;
  const obstacleOr = (other: string) =>
    (isSending && wordsOf(draft).doing) ||
    (link && unasked) ||
    (typed && unshown) ||
    (isSeen ? other : unseen);
  render(
    <>
      {link && anotherLink(link, actions)}
      {result && notice(result, result.error === error, all, actions)}
      {preview && !isSeen && changedMeanwhile(changes, preview, actions.see)}
      {draft.proposed && !(half && isHalfOf(half, draft)) && proposal(draft, loaded)}
      {half &&
        halfDone(
          // The error is shown once.
          { ...half, cause: half.cause === error ? "" : half.cause },
          isHalfOf(half, draft) ? loaded : undefined,
          obstacleOr(obstacleTo(half, draft, loaded)),
          actions,
        )}
      {elsewhere && toHalf(elsewhere, actions)}
    </>,
    element("#notices"),
  );
  drawVerdict(state, half, actions);
  if (!preview) return;
  const { draft: request, stored } = preview;
  const isHalf = half !== undefined && isHalfOf(half, request);
  const obstacle = obstacleOr(outdated(preview) || missing(preview.plan));
  const plan = isHalf ? without(preview.plan, half.cause) : preview.plan;
  element("textarea").ariaInvalid = String(error !== "");
  render(
    <>
      {setAside &&
        ["[]", filledIn].includes(draft.text) &&
        button(`Bring back the patch of ${setAside.feature}`, () =>
          actions.edit({ text: setAside.text, form: setAside.form, environment: setAside.environment }),
        )}
      {patchControls({ ...preview, plan }, draft, actions, isHalf ? undefined : obstacle)}
    </>,
    element("#plan"),
  );
  render(
    <>
      {featureTitle(preview, actions)}
      {preview.isOld && <p class="old">{text(`As it was read at ${timeOf(preview.readAt)}.`)}</p>}
      {environments(stored, plan.environments, request, {
        isUnfolded: state.isUnfolded,
        isOld: preview.isOld,
        press: (environment, enabled) => actions.switchTo(enabled ? "on" : "off", environment),
      })}
      {stored.length > 0 && foldButton(preview, state.isUnfolded, actions)}
    </>,
    element("#preview"),
  );
  render(changeList(preview, actions), element("#history"));
}

/** Leaves out the message that the notice of the half-done patch shows. */
function without(plan: Preview["plan"], cause: string): Preview["plan"] {
  const environments = plan.environments.map(({ message = "", ...others }) =>
    message === "" || cause.endsWith(message) ? others : { ...others, message },
  );
  return { ...plan, environments };
}

const timeOf = (time: number) => new Date(time).toLocaleTimeString("en");

/** Only a preview of changes folds what stays as it is. */
function foldButton({ stored, plan, draft }: Preview, isUnfolded: boolean, { unfold }: Actions) {
  const count = foldedNames(stored, plan.environments, draft).size;
  if (count === 0) return undefined;
  const variants = count === 1 ? "variant that stays" : "variants that stay";
  return button(`${isUnfolded ? "Hide" : "Show"} ${count} ${variants}`, unfold);
}
