/** Asks about a switch of the board, in place, and says there what came of it. */
import { useEffect, useRef } from "preact/hooks";
import type { FeatureWithEnvironments } from "../../lib/contract/lists.ts";
import { printable } from "../cli/printable.ts";
import type { BoardActions } from "./actions.ts";
import type { Question } from "./board-state.ts";
import { button, text } from "./controls.tsx";
import type { Reply } from "./send.ts";
import { missing } from "./verdict.ts";

type Content = FeatureWithEnvironments["environments"][number];

interface QuestionProps {
  question: Question;
  feature: FeatureWithEnvironments | undefined;
  top: number;
  actions: BoardActions;
}

/** Asks beside the switch that was pressed, and says there what came of it. */
export function SwitchQuestion({ question, feature, top, actions }: QuestionProps) {
  const { request, phase, plan } = question;
  const { environment, switchTo } = request;
  const box = useRef<HTMLElement>(null);
  // The user presses again, or Escape; the focus says which question it is.
  useEffect(() => {
    box.current?.focus({ preventScroll: true });
    box.current?.scrollIntoView({ block: "nearest" });
  }, [request.idempotencyKey, phase]);
  const lacking = plan ? missing(plan) : "";
  const others = feature?.environments.filter((each) => each.environment !== environment) ?? [];
  const { isSent, isOver, hasFailed } = kindOf(phase);
  const isAsked = phase === "asking" || phase === "previewing";
  return (
    <section
      class={hasFailed ? "ask failed" : isOver ? "ask patched" : "ask"}
      ref={box}
      tabIndex={-1}
      aria-label={printable(`Switch ${switchTo} ${request.feature} in ${environment}`)}
      aria-busy={isSent || phase === "previewing"}
      style={{ "--top": `${top}px` }}
      onKeyDown={({ key }) => key === "Escape" && !isSent && actions.cancel()}
    >
      <p role={hasFailed ? "alert" : "status"}>
        <strong>{text(request.feature)}</strong> {verbs[phase](switchTo)} <strong>{text(environment)}</strong>
        {phase === "already" && " already"}
        {isSent ? "..." : "."} {hasFailed && text(question.error)}
        {isAsked && (
          <>
            {text(whenSeen(switchTo, plan))} {text(staying(others))} {text(lacking)}
          </>
        )}
        {phase === "done" && question.hint && text(question.hint)}
      </p>
      <p>
        {phase === "previewing" && <small>Previewing...</small>}
        {(phase === "undo failed" || (phase === "done" && question.change)) &&
          button(`Undo in ${environment}`, () => actions.undoSwitch(question))}
        {button(isOver || hasFailed ? "Close" : "Cancel", actions.cancel, { disabled: isSent })}
        {(isAsked || phase === "sending" || phase === "failed") &&
          button(phase === "failed" ? "Try again" : `Switch ${switchTo}`, () => actions.confirm(question), {
            class: "primary",
            disabled: phase === "previewing" || isSent || lacking !== "",
          })}
      </p>
    </section>
  );
}

function kindOf(phase: Question["phase"]) {
  return {
    isSent: phase === "sending" || phase === "undoing",
    isOver: phase === "done" || phase === "undone" || phase === "already",
    hasFailed: phase === "failed" || phase === "undo failed",
  };
}

const opposite = (to: string) => (to === "on" ? "off" : "on");
const verbs: Readonly<Record<Question["phase"], (to: string) => string>> = {
  previewing: (to) => `goes ${to} in`,
  asking: (to) => `goes ${to} in`,
  already: (to) => `is ${to} in`,
  sending: (to) => `is going ${to} in`,
  done: (to) => `is ${to} in`,
  failed: (to) => `could not be switched ${to} in`,
  undoing: (to) => `is going ${opposite(to)} again in`,
  undone: (to) => `is ${opposite(to)} again in`,
  "undo failed": (to) => `could not be switched ${opposite(to)} again in`,
};

/** The dry run's hint is why SDKs will not see it. */
function whenSeen(to: string | undefined, plan: Reply | undefined): string {
  const hint = plan?.environments.find((each) => each.hint !== undefined)?.hint;
  if (hint !== undefined) return `${hint}.`;
  return `${to === "on" ? "SDKs see it" : "SDKs stop seeing it"} within 5 seconds, plus their polling interval.`;
}

/** "development and staging stay on." */
function staying(others: readonly Content[]): string {
  const sentences = [true, false].flatMap((isOn) => {
    const names = others.filter(({ enabled }) => enabled === isOn).map(({ environment }) => environment);
    if (names.length === 0) return [];
    const list = new Intl.ListFormat("en").format(names);
    return `${list} ${names.length === 1 ? "stays" : "stay"} ${isOn ? "on" : "off"}.`;
  });
  return sentences.join(" ");
}
