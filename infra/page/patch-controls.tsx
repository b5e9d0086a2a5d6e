/** Draws the operations of a patch, or the change to undo, with their errors, the button that applies it, and its curl command. */

import type { Actions } from "./actions.ts";
import { titleOf } from "./changes.tsx";
import { button, copyButton, text } from "./controls.tsx";
import { readOperation, readPatch, writePatch } from "./patch.ts";
import type { Preview } from "./preview.ts";
import { linkToDraft } from "./proposal.ts";
import { longestLink } from "./proposal-link.ts";
import { isPatch, type PatchRequest, toCurl } from "./request.ts";
import { errorsOf, wordsOf } from "./verdict.ts";

/** The obstacle is why the draft cannot be applied, or empty; undefined for a half-done patch, which has its steps. */
export function patchControls(preview: Preview, draft: PatchRequest, actions: Actions, obstacle?: string) {
  const { edit, apply } = actions;
  const { plan, stop, changed, ambiguities } = preview;
  const patch = isPatch(draft) ? readPatch(draft.text) : [];
  const undone = preview.history?.changes.find(({ id }) => id === draft.change);
  const isPreviewed = preview.draft === draft;
  const isPlanned = preview.draft === draft && plan.error === "";
  const isEffective = isPlanned && changed.length > 0;
  const isReady = isEffective && obstacle === "";
  const usual = draft.switchTo ? `Switch ${draft.switchTo}` : draft.change ? "Undo it" : "Apply";
  const label = isReady && stop ? `Apply, and stop in ${stop}` : usual;
  const remove = (index: number) => edit({ text: writePatch(patch.toSpliced(index, 1)) });
  const command = toCurl({ ...draft, etag: plan.etag });
  const link = linkToDraft(draft, plan.etag);
  const share =
    link === undefined ? (
      <small>A link to this proposal would have more than {longestLink} characters.</small>
    ) : (
      copyButton("Copy a link to this proposal", link)
    );
  return (
    <>
      {!isPatch(draft) && (
        <p>
          {text(draft.switchTo ? switchTitle(draft) : `Undo: ${undone ? titleOf(undone) : draft.change}`)}
          {button("Back to the patch", actions.backToPatch)}
        </p>
      )}
      <ol aria-label="Operations">
        {patch.map((operation, index) => (
          <li key={String(index)}>
            <code>{text(`${index} ${titleOfOperation(operation)}`)}</code>
            {button(`Delete operation ${index}`, () => remove(index), { children: "✕" })}
            {isPreviewed &&
              [...errorsOf(index, plan), ambiguities[index]].map(
                (error) => error && <p key={error}>{text(error)}</p>,
              )}
          </li>
        ))}
      </ol>
      {obstacle !== undefined && (
        <p>
          {button(label, () => apply(preview), {
            class: stop ? "primary failed" : "primary",
            disabled: !isReady,
          })}
          {isEffective && !draft.change && share}
          <small>{text(obstacle)}</small>
        </p>
      )}
      <details>
        <summary>What do I send by curl?</summary>
        {isPlanned ? (
          <>
            <pre>{command}</pre>
            {copyButton("Copy the command", command)}
          </>
        ) : (
          <p>The command is here once the {wordsOf(draft).name} is previewed.</p>
        )}
      </details>
    </>
  );
}

function switchTitle({ feature, environment, switchTo }: PatchRequest): string {
  return `Switch ${switchTo}: ${feature} in ${environment || "every environment"}`;
}

/** Of what may be no operation. */
function titleOfOperation(element: unknown): string {
  const { op = "", path } = readOperation(element);
  return path === undefined ? JSON.stringify(element).slice(0, 60) : `${op} ${path}`;
}
