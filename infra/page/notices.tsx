/** Draws what the last request did, the steps that finish a half-done patch, and what other requests have changed. */
import type { Environment, Preview } from "./api.ts";
import { type Actions, button, element, text } from "./controls.tsx";
import { environments } from "./environments.tsx";
import { movedIndexes } from "./indexes.ts";
import type { Half } from "./kept.ts";
import type { PatchRequest } from "./request.ts";
import { outdated } from "./verdict.ts";

export function notice(title: string, error: string) {
  return (
    <article class={error ? "failed" : "patched"} aria-label={title} tabIndex={-1}>
      <h2>{title}</h2>
      {error && <p role="alert">{text(error)}</p>}
    </article>
  );
}

export function proposal({ reason, proposed }: PatchRequest, loaded: Preview | undefined) {
  const obstacle = loaded ? outdated(loaded) : "";
  return (
    <article class={obstacle ? "failed" : "changed"} aria-label="A proposal">
      <h2>A proposal</h2>
      {reason && <blockquote>{text(reason)}</blockquote>}
      {obstacle && <p role="alert">{obstacle}</p>}
      {loaded?.plan.etag === proposed && <p>Nothing has changed since it was made.</p>}
      <small>
        The patch and its reason are from the link that you opened. Once edited, they are your own.
      </small>
    </article>
  );
}

/** `loaded` is its preview, once it is there. The obstacle is why it cannot be finished, or empty. */
export function halfDone(half: Half, loaded: Preview | undefined, obstacle: string, actions: Actions) {
  const { edit, undo, apply, leave } = actions;
  const { environment, change } = half.request;
  const stop = loaded?.stop ?? half.stop;
  const fix = () => {
    edit({ environment: stop ?? "", text: "[]", change: "", reason: "" });
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
          {button(`Preview the half-done ${change ? "undo" : "patch"}`, () => edit(half.request))}
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
export function changedMeanwhile(known: Environment[], { draft, stored }: Preview, see: () => void) {
  return (
    <article class="failed" aria-label="Changed since the preview">
      <h2>Changed since the preview</h2>
      {(draft.form === "index" ? movedIndexes(draft.text, known, stored) : []).map((sentence) => (
        <p key={sentence}>{text(sentence)}</p>
      ))}
      {environments(known, stored, draft, " since")}
      <p>{button("I have seen it", see, { class: "primary" })}</p>
    </article>
  );
}
