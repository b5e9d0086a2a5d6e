/** Asks whether to send the shown draft, with what it would do and who would move; afterwards shows what came of it. */
import { useLayoutEffect, useRef } from "preact/hooks";
import { printable } from "../../../cli/printable.ts";
import type { App } from "../app.ts";
import { coloursOf } from "../elements/colours.ts";
import { button, text } from "../elements/controls.tsx";
import {
  contentsAfter,
  dryRunOf,
  inEnvironment,
  type PageState,
  type Result,
  shownDraft,
} from "../page-state.ts";
import type { ShownEnvironment } from "../requests/shown.ts";
import { placeInWords } from "../words/format.ts";
import { type Draft, isProposal, switchOf } from "./draft.ts";
import { DraftOptions } from "./draft-options.tsx";
import { effectOf } from "./effect.ts";
import { headlineOf, labelsOf, obstacleTo, proposalText } from "./headline.ts";
import { MovesView } from "./moves-view.tsx";
import { outcomeOf } from "./outcome.ts";
import { changeOf, type DryRunReply, type Preview } from "./send-draft.ts";

interface ConfirmationProps {
  app: App;
  state: PageState;
  top?: number;
}

export function Confirmation({ app, state, top }: ConfirmationProps) {
  const draft = shownDraft(state);
  const { result, isSending } = state;
  const shown = draft ?? result?.draft;
  const section = useInSight(top !== undefined && shown !== undefined);
  if (!shown) return undefined;
  const dryRun = dryRunOf(state, draft);
  const outcome = result && outcomeOf(result, state, dryRun);
  // The page may be deleting a feature instead.
  const isSendingDraft = isSending && draft?.isSent;
  const isBusy = isSending || (draft !== undefined && !dryRun && state.key !== "");
  const tone = outcome?.tone ?? (draft && dryRun && headlineOf(state, draft, dryRun).isBad ? "failed" : "");
  const where = shown.environment || "every environment";
  return (
    <section
      ref={section}
      class={`confirmation ${tone}`}
      tabIndex={-1}
      aria-label={printable(`${labelsOf(shown).button}: ${shown.feature} in ${where}`)}
      aria-busy={isBusy}
      style={top === undefined ? {} : { "--top": `${top}px` }}
      onKeyDown={({ key, target }) =>
        key === "Escape" && !(target instanceof HTMLInputElement) && !isSending && app.discardDraft()
      }
    >
      <div class="wide">
        <output id="result" role={tone === "failed" ? "alert" : "status"}>
          {isSendingDraft ? labelsOf(shown).sending : outcome && <span>{text(outcome.text)}</span>}
          {!isSendingDraft && draft && <Previewed {...{ state, draft, dryRun }} />}
        </output>
        {draft && dryRun?.kind === "preview" && <PreviewedMoves {...{ state, draft }} preview={dryRun} />}
        <div class="line">
          {draft && !isSending && <DraftOptions {...{ draft, app }} />}
          <span class="line end">
            {draft ? (
              <DraftButtons {...{ app, state, draft, dryRun }} />
            ) : (
              result && <ResultButtons {...{ app, result }} />
            )}
          </span>
        </div>
      </div>
    </section>
  );
}

/** Scrolls an element into sight when it is drawn, and each time that its size changes. */
function useInSight(isWanted: boolean) {
  const element = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    const { current } = element;
    if (!isWanted || !current) return;
    const observer = new ResizeObserver(() => current.scrollIntoView({ block: "nearest" }));
    observer.observe(current);
    return () => observer.disconnect();
  }, [isWanted]);
  return element;
}

interface DraftProps {
  state: PageState;
  draft: Draft;
  dryRun: DryRunReply | undefined;
}

function Previewed({ state, draft, dryRun }: DraftProps) {
  if (state.key === "") return text("Enter an API key to see what this would do.");
  if (!dryRun) return <small>Previewing...</small>;
  const proposal = proposalText(draft, dryRun);
  const { bold, rest } = headlineOf(state, draft, dryRun);
  const environments = dryRun.kind === "preview" ? dryRun.environments : [];
  return (
    <>
      {proposal && <small>{text(proposal)}</small>}
      {isProposal(draft) && draft.reason && <blockquote>{text(draft.reason)}</blockquote>}
      <strong>{text(bold)}</strong> {text(rest)}
      {environments.map(
        ({ environment, hint }) =>
          hint && <small key={environment}>{text(`${environment}: ${hint}.`)}</small>,
      )}
    </>
  );
}

/** One bar for each environment that would change. */
function PreviewedMoves({ state, draft, preview }: { state: PageState; draft: Draft; preview: Preview }) {
  const after = contentsAfter(state);
  const colourOf = coloursOf([...(state.shownFeature?.environments ?? []), ...after].flatMap(variantNames));
  return effectOf(draft, preview).changing.map(
    ({ environment, moves }) =>
      moves && (
        <MovesView
          key={environment}
          {...{ environment, moves, colourOf }}
          feature={draft.feature}
          after={inEnvironment(after, environment)}
        />
      ),
  );
}

export function variantNames({ variants, strategies }: ShownEnvironment): string[] {
  return [variants, ...Object.values(strategies).map((each) => each.variants)].flatMap(Object.keys);
}

function DraftButtons({ app, state, draft, dryRun }: DraftProps & { app: App }) {
  const { result, isSending } = state;
  const obstacle = obstacleTo(state, draft, dryRun);
  const effect = dryRun?.kind === "preview" ? effectOf(draft, dryRun) : undefined;
  const changesSomething = effect !== undefined && effect.changing.length > 0;
  const failsIn = effect?.failing?.environment;
  const hasNoEffect = effect !== undefined && !changesSomething && failsIn === undefined;
  const appliedChange = result?.draft.idempotencyKey === draft.idempotencyKey ? changeOf(result.reply) : "";
  const { button: label } = labelsOf(draft);
  return (
    <>
      {obstacle && <small id="obstacle">{text(obstacle)}</small>}
      {dryRun && !effect && button("Try again", () => app.refresh())}
      {appliedChange &&
        !isSending &&
        button("Undo what was applied", () => app.draftUndo(appliedChange, draft.environment, draft.feature))}
      {button(
        hasNoEffect ? "Close" : switchOf(draft) || draft.undo ? "Cancel" : "Discard",
        () => app.discardDraft(),
        { disabled: isSending },
      )}
      {!hasNoEffect &&
        button(
          failsIn && changesSomething ? `${label}, and stop in ${failsIn}` : label,
          () => void app.confirmDraft(),
          {
            class: failsIn ? "primary failed" : "primary",
            disabled: isSending || obstacle !== "" || !changesSomething,
          },
        )}
    </>
  );
}

function ResultButtons({ app, result }: { app: App; result: Result }) {
  const { draft, reply, where } = result;
  const change = changeOf(reply);
  const undo = () => app.draftUndo(change, draft.environment, draft.feature);
  return (
    <>
      {change && !draft.undo && button(`Undo in ${placeInWords(where, 0)}`, undo)}
      {button("Close", () => app.closeMessages())}
    </>
  );
}
