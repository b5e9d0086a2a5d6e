/** Asks about the change that is being written: what it does and who moves, before it is sent; and says what came of it. */
import type { ComponentChildren } from "preact";
import { printable } from "../cli/printable.ts";
import type { App } from "./app.ts";
import { coloursOf } from "./colours.ts";
import { button, Choice, Field, text } from "./controls.tsx";
import type { Content } from "./load.ts";
import { Moves } from "./moves.tsx";
import { headlineOf, isSwitch, obstacleTo, outcomeOf, proposalText, wordsOf } from "./outcome.ts";
import { contentsAfter, planOf, type Result, type State, shownDraft } from "./page-state.ts";
import type { Draft } from "./request.ts";
import { named, type Reply } from "./send.ts";
import { placeInWords } from "./words.ts";

interface AskProps {
  app: App;
  state: State;
  top?: number;
}

export function Ask({ app, state, top }: AskProps) {
  const draft = shownDraft(state);
  const { result, isSending } = state;
  const shown = draft ?? result?.draft;
  if (!shown) return undefined;
  const plan = planOf(state, draft);
  const outcome = result && outcomeOf(result, state, plan);
  const isBusy = isSending || (draft !== undefined && !plan && state.key !== "");
  const tone = outcome?.tone ?? (draft && plan && headlineOf(state, draft, plan).isBad ? "failed" : "");
  const where = shown.environment || "every environment";
  return (
    <section
      class={`ask ${tone}`}
      tabIndex={-1}
      aria-label={printable(`${wordsOf(shown).button}: ${shown.feature} in ${where}`)}
      aria-busy={isBusy}
      style={top === undefined ? {} : { "--top": `${top}px` }}
      onKeyDown={({ key, target }) =>
        key === "Escape" && !(target instanceof HTMLInputElement) && !isSending && app.cancel()
      }
    >
      <div class="wide">
        <output id="result" role={tone === "failed" ? "alert" : "status"}>
          {isSending ? wordsOf(shown).doing : outcome && <span>{text(outcome.text)}</span>}
          {!isSending && draft && said(state, draft, plan)}
        </output>
        {draft && plan && <PlannedMoves {...{ state, plan }} />}
        <div class="line">
          {draft && !isSending && options(draft, app)}
          <span class="line end">{draft ? decide(app, state, draft, plan) : done(app, result)}</span>
        </div>
      </div>
    </section>
  );
}

function said(state: State, draft: Draft, plan: Reply | undefined): ComponentChildren {
  if (state.key === "") return text("Enter an API key to see what this would do.");
  if (!plan) return <small>Previewing...</small>;
  const proposal = proposalText(draft, plan);
  const { bold, rest } = headlineOf(state, draft, plan);
  return (
    <>
      {proposal && <small>{text(proposal)}</small>}
      {draft.proposed && draft.reason && <blockquote>{text(draft.reason)}</blockquote>}
      <strong>{text(bold)}</strong> {text(rest)}
      {plan.environments.map(
        ({ environment, hint }) =>
          hint && <small key={environment}>{text(`${environment}: ${hint}.`)}</small>,
      )}
    </>
  );
}

/** One bar for each environment that would change. */
function PlannedMoves({ state, plan }: { state: State; plan: Reply }) {
  const after = contentsAfter(state);
  const colourOf = coloursOf([...(state.flag?.environments ?? []), ...after].flatMap(variantNames));
  return plan.environments.map(
    ({ environment, outcome, moves }) =>
      moves &&
      outcome === "would patch" && (
        <Moves key={environment} {...{ environment, moves, colourOf }} after={named(after, environment)} />
      ),
  );
}

export function variantNames({ variants, strategies }: Content): string[] {
  return [variants, ...Object.values(strategies).map((each) => each.variants)].flatMap(Object.keys);
}

function options(draft: Draft, { change }: App) {
  return (
    <>
      <label class="line">
        Why
        <input
          name="reason"
          maxLength={200}
          placeholder="for the list of changes"
          value={draft.reason}
          onInput={({ currentTarget }) => change({ reason: currentTarget.value })}
        />
      </label>
      {!draft.undo && (
        <span class="field">
          Take it back on alarm
          <Field
            label="Name of the alarm"
            placeholder="none"
            value={draft.guard}
            commit={(guard) => change({ guard })}
          />
        </span>
      )}
      {draft.guard && !draft.undo && (
        <Choice
          label="For how long"
          value={draft.minutes}
          choices={{
            [draft.minutes]: `${draft.minutes} min`,
            10: "10 min",
            30: "30 min",
            60: "1 h",
            1440: "1 day",
          }}
          choose={(minutes) => change({ minutes })}
        />
      )}
      {!isSwitch(draft) && (
        <span class="field">
          At most
          <Field
            label="Percent of users that may move"
            placeholder="any"
            class="pct"
            value={draft.mostMoves && `${draft.mostMoves} %`}
            commit={(given) => change(percentOf(given))}
          />
          of users move
        </span>
      )}
    </>
  );
}

/** Takes "20", "20 %" and "12,5"; nothing for no limit. */
function percentOf(given: string): Partial<Draft> {
  const mostMoves = given.replace("%", "").replace(",", ".").trim();
  const percent = Number(mostMoves);
  return percent >= 0 && percent <= 100 ? { mostMoves } : {};
}

function decide(app: App, state: State, draft: Draft, plan: Reply | undefined) {
  const { isSending } = state;
  const { button: label } = wordsOf(draft);
  const obstacle = obstacleTo(state, draft, plan);
  const stop = plan?.environments.find(({ outcome }) => outcome === "failed")?.environment;
  const isEffective =
    plan?.error === "" && plan.environments.some(({ outcome }) => outcome === "would patch");
  const { change = "" } =
    state.result?.draft.idempotencyKey === draft.idempotencyKey ? state.result.reply : {};
  const isDone = plan !== undefined && plan.error === "" && !isEffective && stop === undefined;
  return (
    <>
      {obstacle && <small id="obstacle">{text(obstacle)}</small>}
      {plan?.error && button("Try again", app.refresh)}
      {change &&
        !isSending &&
        button("Undo what is done", () => app.undo(change, draft.environment, draft.feature))}
      {button(isDone ? "Close" : isSwitch(draft) || draft.undo ? "Cancel" : "Discard", app.cancel, {
        disabled: isSending,
      })}
      {!isDone &&
        button(stop && isEffective && !draft.mostMoves ? `${label}, and stop in ${stop}` : label, app.apply, {
          class: stop ? "primary failed" : "primary",
          disabled: isSending || obstacle !== "" || !isEffective,
        })}
    </>
  );
}

function done(app: App, result: Result | undefined) {
  if (!result) return undefined;
  const { draft, reply, where } = result;
  const undo = () => app.undo(reply.change, draft.environment, draft.feature);
  return (
    <>
      {reply.change && !draft.undo && button(`Undo in ${placeInWords(where, 0)}`, undo)}
      {button("Close", app.close)}
    </>
  );
}
