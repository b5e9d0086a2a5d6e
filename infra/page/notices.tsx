/** Draws what the last request did, the steps that finish a half-done patch, and what other requests have changed. */
import { printable } from "../cli/printable.ts";
import type { Actions } from "./actions.ts";
import { namePlace } from "./changes.tsx";
import { button, element, text } from "./controls.tsx";
import { environments } from "./environments.tsx";
import { movedIndexes } from "./indexes.ts";
import type { Half } from "./kept.ts";
import type { Result } from "./outcome.ts";
import type { Preview } from "./preview.ts";
import type { PatchRequest } from "./request.ts";
import type { EnvironmentOutcome } from "./send.ts";
import { appliedAs, outdated, wordsOf } from "./verdict.ts";

/** `all` has the environments of the feature. The error is left out where it is shown already. */
export function notice(
  { title, error, hint = "", undo }: Result,
  isShown: boolean,
  all: string[],
  actions: Actions,
) {
  return (
    <article class={error ? "failed" : "patched"} aria-label={printable(title)} tabIndex={-1}>
      <h2>{text(title)}</h2>
      {error && !isShown && <p role="alert">{text(error)}</p>}
      {hint && <p>{text(hint)}</p>}
      {undo &&
        button(`Undo in ${namePlace(undo.where, all)}`, () => actions.undo(undo.change, undo.environment))}
    </article>
  );
}

/** A link may have been opened by another page: nothing of it is used before the user asks for it. */
export function anotherLink(link: string, { open, stay }: Actions) {
  return (
    <article class="changed" aria-label="Another link was opened">
      <h2>Another link was opened</h2>
      <p>This page still shows what it showed before. Nothing can be applied until you choose.</p>
      <p>
        {button("Load the link", () => open(link), { class: "primary" })}
        {button("Stay here", stay)}
      </p>
    </article>
  );
}

export function proposal(draft: PatchRequest, loaded: Preview | undefined) {
  const { reason, proposed } = draft;
  const obstacle = loaded ? outdated(loaded) : "";
  const isApplied = loaded !== undefined && appliedAs(loaded) !== undefined;
  return (
    <article class={isApplied ? "patched" : obstacle ? "failed" : "changed"} aria-label="A proposal">
      <h2>A proposal</h2>
      {reason && <blockquote>{text(reason)}</blockquote>}
      {obstacle && <p role={isApplied ? "status" : "alert"}>{obstacle}</p>}
      {loaded?.plan.etag === proposed && <p>Nothing has changed since it was made.</p>}
      <small>
        The {wordsOf(draft).name} and its reason are from the link that you opened. Once edited, they are your
        own.
      </small>
    </article>
  );
}

/** `loaded` is its preview, once it is there. The obstacle is why it cannot be finished, or empty. */
export function halfDone(half: Half, loaded: Preview | undefined, obstacle: string, actions: Actions) {
  const { edit, undo, apply, leave } = actions;
  const { environment } = half.request;
  const stop = loaded?.stop ?? half.stop;
  const fix = () => {
    edit({ environment: stop ?? "", text: "[]", change: "", switchTo: "", reason: "" });
    element("textarea").focus();
  };
  return (
    <article class="failed" aria-label={half.title} tabIndex={-1}>
      <h2>{half.title}</h2>
      {half.cause && <p role="alert">{text(half.cause)}</p>}
      <ol class="steps">
        {stop !== undefined && (
          <li>
            <h3>Fix {text(stop)}</h3>
            {loaded?.stop === undefined && loaded?.plan.error === "" ? (
              <mark class="patched">done</mark>
            ) : (
              button(`Patch ${stop} alone`, fix)
            )}
          </li>
        )}
        <li>
          <h3>Preview</h3>
          {button(`Preview the half-done ${wordsOf(half.request).name}`, () => edit(half.request))}
        </li>
        <li>
          <h3>Finish</h3>
          {button("Finish it", () => loaded && apply(loaded), {
            class: "primary",
            disabled: obstacle !== "",
            "aria-describedby": "obstacle",
          })}
          <small id="obstacle">{text(obstacle)}</small>
        </li>
      </ol>
      <p>
        {half.change && button("Undo what is done", () => undo(half.change, environment))}
        {button("Leave it half done", () => leave(half))}
      </p>
    </article>
  );
}

/** Applying waits until this was seen. */
export function changedMeanwhile(known: EnvironmentOutcome[], { draft, stored }: Preview, see: () => void) {
  return (
    <article class="failed" aria-label="Changed since the preview">
      <h2>Changed since the preview</h2>
      {(draft.form === "index" ? movedIndexes(draft.text, known, stored) : []).map((sentence) => (
        <p key={sentence}>{text(sentence)}</p>
      ))}
      {environments(known, stored, draft, { note: " since" })}
      <p>{button("I have seen it", see, { class: "primary" })}</p>
    </article>
  );
}
