/** Draws the page: its header, its messages, and the board or a feature. */
import { printable } from "../../cli/printable.ts";
import type { App } from "./app.ts";
import { BoardView } from "./board/board.tsx";
import { button, fieldsOf, Opening, options, text } from "./elements/controls.tsx";
import { DeletedNotice } from "./feature/deletion.tsx";
import { FeatureView } from "./feature/feature.tsx";
import { draftsOf, type PageState, shownDraft } from "./page-state.ts";
import { addressOf } from "./place.ts";

interface ViewProps {
  app: App;
  state: PageState;
  stage: string;
  isLocal: boolean;
}

export function View({ app, state, stage, isLocal }: ViewProps) {
  const { project, feature, board, key, linkIssue, link } = state;
  document.title = `Burgee: ${feature ? printable(feature) : `flags of ${printable(project)}`}`;
  const isKeyAsked = key === "" || (board.phase === "failed" && board.isRefused);
  const projects = [...board.projects.map(({ id }) => id), project].filter(Boolean);
  return (
    <>
      <header id="top">
        <a class="home" href={addressOf({ project })}>
          <b>Burgee</b>
        </a>
        {stage && <span class="stage">{stage}</span>}
        {key !== "" && (
          <select
            aria-label="Project"
            value={project}
            onChange={({ currentTarget }) => app.open(currentTarget.value)}
          >
            {options(projects)}
          </select>
        )}
        {isKeyAsked ? (
          <KeyForm app={app} />
        ) : (
          <Opening name="Change the key">{(close) => <KeyForm {...{ app, close }} />}</Opening>
        )}
        <nav class="line end" aria-label="Pages">
          {feature && <a href={addressOf({ project })}>All flags</a>}
          {isLocal && <a href="/">API reference</a>}
        </nav>
      </header>
      <section id="notices" aria-label="Notices">
        {linkIssue && (
          <div class="card failed" role="alert">
            <p>
              <strong>The link is not a proposal.</strong> {text(linkIssue)}. Nothing of it is used.{" "}
              {button("Close", () => app.closeMessages())}
            </p>
          </div>
        )}
        {link && (
          <div class="card failed" role="alert">
            <p>
              <strong>Another link was opened.</strong> This page still shows what it showed before.{" "}
              {button("Load the link", () => app.openProposal(link), { class: "primary" })}{" "}
              {button("Stay here", () => app.ignoreLink())}
            </p>
          </div>
        )}
        {state.deleted && (
          <DeletedNotice
            key={`${state.deleted.feature} ${state.deleted.restorableUntil}`}
            {...{ app }}
            deleted={state.deleted}
          />
        )}
        {state.restored && (
          <div class="card" role="status">
            <p>
              {text(
                `${state.restored} is restored, in each environment on or off as it was before its deletion.`,
              )}{" "}
              {button("Close", () => app.closeMessages())}
            </p>
          </div>
        )}
        <OtherDrafts {...{ state }} />
      </section>
      {feature ? <FeatureView {...{ app, state }} /> : <BoardView {...{ app, state }} />}
    </>
  );
}

/** A password manager recognises these fields as a login. The page keeps the key in memory only. */
function KeyForm({ app, close }: { app: App; close?(): void }) {
  const submit = (event: SubmitEvent) => {
    app.useKey(fieldsOf(event).key ?? "");
    close?.();
  };
  return (
    <form id="login" class="line" aria-label="API key" onSubmit={submit}>
      <input
        class="unseen"
        name="username"
        autocomplete="username"
        value="burgee"
        tabIndex={-1}
        aria-hidden="true"
        readOnly
      />
      <label class="line">
        API key <input name="key" type="password" autocomplete="current-password" required />
      </label>
      <button type="submit">Show</button>
      {close && button("Cancel", close)}
    </form>
  );
}

/** Links to the features that have drafts, other than the shown one. */
function OtherDrafts({ state }: { state: PageState }) {
  const shown = shownDraft(state);
  const others = draftsOf(state).filter((draft) => draft !== shown && !draft.isOfBoard);
  if (others.length === 0) return undefined;
  return (
    <p class="line">
      Not applied yet:
      {others.map(({ project, feature, environment, idempotencyKey }) => (
        <a key={idempotencyKey} href={addressOf({ project, feature })}>
          {text(`${feature} in ${environment || "every environment"}`)}
        </a>
      ))}
    </p>
  );
}
