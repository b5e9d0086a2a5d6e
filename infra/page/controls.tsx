/** Elements and values of the page's forms, and text that the server sent. */
import type { ButtonHTMLAttributes } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { printable, printableLines } from "../cli/printable.ts";
import type { FieldValues } from "./patch.ts";

/** Never markup, and nothing in it hides or reorders the text around it. */
export function text(value: string) {
  return <bdi>{printableLines(String(value))}</bdi>;
}

export function button(name: string, run: () => void, others: ButtonHTMLAttributes = {}) {
  const label = printable(name);
  return <button type="button" aria-label={label} children={label} onClick={run} {...others} />;
}

/** Says that it has copied. Without a clipboard, as over HTTP from another machine, it shows the text, selected. */
export function copyButton(name: string, value: string) {
  return <CopyButton key={name + value} name={name} value={value} />;
}

function CopyButton({ name, value }: { name: string; value: string }) {
  const [state, setState] = useState<"" | "copied" | "selected">("");
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => field.current?.select(), [state]);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(value);
      setState("copied");
    } catch {
      setState("selected");
    }
  };
  return (
    <>
      {button(name, copy)}
      <small role="status">{state === "copied" && "Copied."}</small>
      {state === "selected" && (
        <textarea ref={field} readOnly rows={3} aria-label="To copy" value={printableLines(value)} />
      )}
    </>
  );
}

export function options(values: readonly string[]) {
  return [...new Set(values)].map((value) => (
    <option key={value} value={value} children={printable(value)} />
  ));
}

export function element<Type extends HTMLElement>(selector: string): Type {
  const found = document.querySelector<Type>(selector);
  if (!found) throw new Error(`no element is ${selector}`);
  return found;
}

/** Handles the values of forms, and with "submit" those of the button, instead of sending them. */
export function onForm(
  selector: string,
  type: keyof HTMLElementEventMap,
  handle: (values: FieldValues) => void,
) {
  for (const form of document.querySelectorAll<HTMLFormElement>(selector)) {
    form.addEventListener(type, (event) => {
      event.preventDefault();
      const submitter = event instanceof SubmitEvent ? event.submitter : null;
      handle(Object.fromEntries(new FormData(form, submitter)) as FieldValues);
    });
  }
}

/** The button that applies the draft may be off the screen, or not drawn yet. */
export function showPlan(): void {
  const plan = element("#plan");
  plan.focus();
  plan.scrollIntoView({ block: "center" });
}
