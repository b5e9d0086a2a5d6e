/** Draws the elements of forms, and text that the server sent. */
import type { ButtonHTMLAttributes, ClassAttributes, ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { printable, printableLines } from "../../../cli/printable.ts";

/** Draws text that is never markup, and that cannot hide or reorder the text around it. */
export function text(value: string) {
  return <bdi>{printableLines(String(value))}</bdi>;
}

export function button(
  name: string,
  run: () => void,
  others: ButtonHTMLAttributes & ClassAttributes<HTMLButtonElement> = {},
) {
  const label = printable(name);
  return <button type="button" aria-label={label} children={label} onClick={run} {...others} />;
}

export function options(values: readonly string[]) {
  return [...new Set(values)].map((value) => (
    <option key={value} value={value} children={printable(value)} />
  ));
}

interface ChoiceProps {
  label: string;
  value: string;
  /** The shown text of each value. */
  choices: Readonly<Record<string, string>>;
  choose(value: string): void;
  title?: string;
}

export function Choice({ label, value, choices, choose, ...others }: ChoiceProps) {
  return (
    <select
      {...others}
      aria-label={printable(label)}
      value={value}
      onChange={({ currentTarget }) => choose(currentTarget.value)}
    >
      {Object.entries(choices).map(([each, shown]) => (
        <option key={each} value={each} children={printable(shown)} />
      ))}
    </select>
  );
}

/** Holds the error of a form. It is "" again once the user enters another API key, to which the server may respond otherwise. */
export function useError(key: string): [string, (error: string) => void] {
  const [failed, setFailed] = useState({ key, error: "" });
  return [failed.key === key ? failed.error : "", (error) => setFailed({ key, error })];
}

/** Draws why something failed, or nothing for "". */
export function Failed({ error, id }: { error: string; id?: string }) {
  if (!error) return undefined;
  return (
    <small class="failed" role="alert" {...(id && { id })}>
      {text(error)}
    </small>
  );
}

/** Copies a text. Without a clipboard, as over HTTP from another machine, it shows the text, selected. */
export function CopyButton({ name, value }: { name: string; value: string }) {
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

/** A button that a form replaces until the form is submitted or closed. */
export function Opening({
  name,
  class: kind = "link",
  isDisabled = false,
  children,
}: {
  name: string;
  class?: string;
  isDisabled?: boolean;
  children(close: () => void): ComponentChildren;
}) {
  const [isOpen, setOpen] = useState(false);
  const form = useRef<HTMLFieldSetElement>(null);
  const opener = useRef<HTMLButtonElement>(null);
  // A layout effect moves the focus before the next key that the user presses, which would otherwise reach another field.
  useLayoutEffect(() => {
    if (!isOpen) return;
    form.current?.querySelector<HTMLElement>("input:read-write, select")?.focus();
    // The focus was in the form that was closed.
    return () => document.activeElement === document.body && opener.current?.focus();
  }, [isOpen]);
  if (!isOpen) return button(name, () => setOpen(true), { class: kind, disabled: isDisabled, ref: opener });
  return (
    <fieldset
      class="opened"
      ref={form}
      aria-label={name}
      onKeyDown={({ key }) => key === "Escape" && setOpen(false)}
    >
      {children(() => setOpen(false))}
    </fieldset>
  );
}

/** Returns the values of the form, and keeps the browser from sending it. */
export function fieldsOf(event: SubmitEvent): Record<string, string> {
  event.preventDefault();
  return Object.fromEntries(new FormData(event.currentTarget as HTMLFormElement)) as Record<string, string>;
}
